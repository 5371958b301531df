import { readRunRecord } from '@toolgate/server/runs/read-run'
import { cache } from 'react'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'

/** Returns the run that an address names. Layout, page and title ask; it is read once a request. */
export const findRun = cache((runId: string) =>
  orNotFound(async () => readRunRecord(await requireUser(), runId)),
)

import { readCheckRun } from '@toolgate/server/runs/checks/read-check-runs'
import { cache } from 'react'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'

/** Returns the run of checks that an address names. Layout, page and title ask; it is read once a request. */
export const findCheckRun = cache((id: string) =>
  orNotFound(async () => readCheckRun(await requireUser(), { id })),
)

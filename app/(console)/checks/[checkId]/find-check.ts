import { readCheck } from '@toolgate/server/domains/checks/verbs'
import { cache } from 'react'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'

/** Returns the check that an address names. Layout, pages and title ask; it is read once a request. */
export const findCheck = cache((id: string) =>
  orNotFound(async () => readCheck(await requireUser(), { id })),
)

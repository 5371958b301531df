import { readCheck } from '@toolgate/server/domains/checks/verbs'
import { listSuiteRuns, readCheckRun } from '@toolgate/server/runs/checks/read-check-runs'
import { cache } from 'react'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'

/** Returns the check that an address names. Layout, pages and title ask; it is read once a request. */
export const findCheck = cache((id: string) =>
  orNotFound(async () => readCheck(await requireUser(), { id })),
)

export const suiteRunsShown = 20

/** Returns a page of the runs of the suite that an address names. */
export const findSuiteRuns = cache((suite: string, page: number) =>
  orNotFound(async () =>
    listSuiteRuns(await requireUser(), { suite, page, pageSize: suiteRunsShown }),
  ),
)

/** Returns the run of checks that an address names, in the same way. */
export const findCheckRun = cache((id: string) =>
  orNotFound(async () => readCheckRun(await requireUser(), { id })),
)

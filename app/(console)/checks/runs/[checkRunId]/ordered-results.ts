import type { Earlier } from '@toolgate/server/runs/checks/read-for-pages'
import type { CheckResult, CheckRunDetail } from '@toolgate/server/runs/checks/schemas'
import type { CheckVerdict } from '@/lib/protocol/check/check'

type Summary = CheckRunDetail['checks'][number]

/** A check with a configuration, its tries, and earlier results. `isNew`: it failed, and passed the time before. */
export type ShownCheck = Summary &
  Pick<Earlier, 'passedRunId' | 'originalRunId'> & {
    /** Version of the configuration; null = no try has begun. */
    version: number | null
    isNew: boolean
    results: CheckResult[]
  }

const ranks: Record<CheckVerdict, number> = { failed: 1, 'not-run': 2, passed: 4 }

/** Returns the checks of a run of checks: those that newly failed first, then failed, not run, going on, passed. */
export function orderedResults(
  { checks, results }: Pick<CheckRunDetail, 'checks' | 'results'>,
  earlier: readonly Earlier[],
): ShownCheck[] {
  const shown = checks.map((check): ShownCheck => {
    const isOf = (each: { checkId: string; configurationId: string }) =>
      each.checkId === check.checkId && each.configurationId === check.configurationId
    const before = earlier.find(isOf)
    const own = results.filter(({ checkId, configuration }) =>
      isOf({ checkId, configurationId: configuration.id }),
    )
    const begun = own.find(({ configuration }) => configuration.version !== null)
    return {
      ...check,
      passedRunId: before?.passedRunId ?? null,
      originalRunId: before?.originalRunId ?? null,
      version: begun?.configuration.version ?? null,
      isNew: check.verdict === 'failed' && check.before === 'passed',
      results: own,
    }
  })
  return shown.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rankOf({ verdict, isNew }: ShownCheck): number {
  if (isNew) return 0
  return verdict === null ? 3 : ranks[verdict]
}

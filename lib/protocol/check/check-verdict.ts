import type { CheckVerdict } from './check'

/** A try of a check with a configuration. `passes`: so many of its tries must pass; `verdict` null = not judged yet. */
export type Try = { configurationId: string; verdict: CheckVerdict | null; passes: number }

/**
 * Returns the verdict on the tries of one check with one configuration: `passed` when enough passed, `failed` when too many failed for
 * that, else `not-run`. null = a try has no verdict yet. Without tries, nothing ran.
 */
function verdictOfTries(tries: readonly Try[]): CheckVerdict | null {
  if (tries.some(({ verdict }) => verdict === null)) return null
  const count = (wanted: CheckVerdict) => tries.filter(({ verdict }) => verdict === wanted).length
  const passes = tries[0]?.passes ?? 1
  if (count('passed') >= passes) return 'passed'
  return count('failed') > tries.length - passes ? 'failed' : 'not-run'
}

/** Returns the verdict on a check: with each of its configurations, its tries must pass. null = a try has no verdict yet. */
export function verdictOf(tries: readonly Try[]): CheckVerdict | null {
  const ids = [...new Set(tries.map(({ configurationId }) => configurationId))]
  return worstVerdict(
    ids.map((id) => verdictOfTries(tries.filter((each) => each.configurationId === id))),
  )
}

/** Returns the verdict on several: `failed` when one failed, else `not-run` when one or all did not run. null = one has none yet. */
export function worstVerdict(verdicts: readonly (CheckVerdict | null)[]): CheckVerdict | null {
  if (verdicts.includes(null)) return null
  if (verdicts.includes('failed')) return 'failed'
  return verdicts.length === 0 || verdicts.includes('not-run') ? 'not-run' : 'passed'
}

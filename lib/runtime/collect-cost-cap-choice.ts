import { reachedCaps } from '@/lib/protocol/cost-cap'
import { JournalLostError } from './deps'
import { reportIncident } from './report-incident'
import { type RunStep, record } from './run-step'

/** Writes down what somebody chose since about a cap that the run has reached (SPEC M4); most runs have none. */
export async function collectCostCapChoice(step: RunStep): Promise<void> {
  const { base } = step
  const last = base.rounds.at(-1)
  if (base.end || !last?.response || reachedCaps(base).length === 0) return
  const given = await readChoice(step)
  const known = base.costCapDecision
  if (!given) return
  if (given.choice === known?.choice && (given.byAdmin ?? null) === (known.byAdmin ?? null)) return
  record(step, {
    type: 'cost-cap-decision',
    data: { ...given, spentMicroUsd: base.costMicroUsd },
  })
}

/** A choice that cannot be read is not made yet: the run goes on as before it. */
async function readChoice({ deps }: RunStep) {
  try {
    return await deps.readCostCapChoice()
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    reportIncident(deps, error)
    return null
  }
}

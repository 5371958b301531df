import { applyRunEvent, initialRunState, type RunState } from '@/lib/protocol/fold-run'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { advance } from './advance'
import { type RunDeps, reportIncident } from './deps'
import { type Offer, planOffer, type RunInput, runStart } from './run-start'

/**
 * Works on one prompt until the run ends and resolves with the folded journal, with the same steps as the durable
 * engine. `deps.readDecisions` may take its time here: what it leaves undecided counts as expired. Rejects only as
 * `advance` does.
 */
export async function runAgent(input: RunInput, deps: RunDeps): Promise<RunState> {
  const start = runStart(input, await askedTools(deps), deps.newId)
  let state = applyRunEvent(initialRunState, deps.journal.append(start))
  const answered = { ...deps, readDecisions: expiring(deps) }
  while (!state.end) state = await advance(state, answered)
  return state
}

function expiring(deps: RunDeps): RunDeps['readDecisions'] {
  return async (waiting, signal) => {
    const given = await deps.readDecisions(waiting, signal).catch((error: unknown) => {
      reportIncident(deps, error)
      return []
    })
    const answered = new Set(given.map(({ approvalId }) => approvalId))
    const left = waiting.flatMap(({ approval }) => (approval ? [approval.approvalId] : []))
    const expired = left.filter((approvalId) => !answered.has(approvalId))
    return [
      ...given,
      ...expired.map((approvalId) => ({ approvalId, decision: { type: 'expired' as const } })),
    ]
  }
}

async function askedTools(deps: RunDeps): Promise<Offer<ExecutableTool>> {
  try {
    return planOffer(deps.tools, await deps.loadSubject())
  } catch (error) {
    reportIncident(deps, error)
    return { accepted: [], rejected: [] }
  }
}

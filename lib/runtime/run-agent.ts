import { applyRunEvent, initialRunState, type RunState } from '@/lib/protocol/fold-run'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { advance } from './advance'
import type { RunDeps } from './deps'
import { type Offer, planOffer } from './plan-offer'
import { reportIncident } from './report-incident'
import { type RunInput, runStart } from './run-start'

/**
 * Works one prompt to its end and resolves with the folded journal; the very steps the durable engine takes, one
 * after the other. Rejects only as `advance` does.
 */
export async function runAgent(input: RunInput, deps: RunDeps): Promise<RunState> {
  const start = runStart(input, await askedTools(deps), deps.newId)
  let state = applyRunEvent(initialRunState, deps.journal.append(start))
  while (!state.end) state = await advance(state, deps)
  return state
}

async function askedTools(deps: RunDeps): Promise<Offer<ExecutableTool>> {
  try {
    return planOffer(deps.tools, await deps.loadSubject())
  } catch (error) {
    reportIncident(deps, error)
    return { accepted: [], rejected: [] }
  }
}

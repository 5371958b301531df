import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import type { GateName } from '@/lib/protocol/tool'
import { checkOutput, outputSchemaOf } from './output-check'
import { denied, type RunStep, recordCallEnd, startOf } from './run-step'

type RunStart = ReturnType<typeof startOf>

/** Returns true for an answer that asked for a tool of this site: it counts as a hop, whatever the outcome. */
function isHop({ inText, calls }: RoundView): boolean {
  const isReadable = inText === null ? calls.length > 0 : inText.fault === null
  return isReadable && !calls.every((call) => isDenied(call, 'registered'))
}

/** Returns how often the model may ask for tools; null = as often as it has rounds. */
function hopsOf({ start }: RunState, inText: boolean): number | null {
  const { hopBudget, options } = start?.snapshot ?? {}
  return hopBudget ?? (inText ? (options ?? defaultOptions).promptedHops : null)
}

/**
 * Ends the calls of a round that must not ask for tools any more: once too often (SPEC Q1, W), or beside the envelope of its
 * role, which comes after all calls (SPEC Q2). Returns true when it did.
 */
export function refuseBeyondHops(
  step: RunStep,
  round: RoundView,
  open: readonly CallView[],
): boolean {
  const reason = hopsUsedUp(step.state(), round) ?? besideEnvelope(startOf(step.state()), round)
  if (reason === null) return false
  for (const call of open) {
    recordCallEnd(step, call, denied({ gate: 'hop-budget', reason }), step.deps.now())
  }
  return true
}

function hopsUsedUp(state: RunState, round: RoundView): string | null {
  const hops = hopsOf(state, round.inText !== null)
  const used = state.rounds.filter((each) => each.round < round.round && isHop(each)).length
  if (hops === null || used < hops) return null
  const times = hops === 1 ? 'once' : `${hops} times`
  const limit = startOf(state).snapshot.hopBudget
    ? 'its hop budget in this panel'
    : 'the limit of this configuration in prompted mode'
  return `Not run: the model already asked for tools ${times}, which is ${limit}.`
}

function besideEnvelope({ panelRole, snapshot }: RunStart, { text }: RoundView): string | null {
  const schema = panelRole && outputSchemaOf(snapshot)
  if (!schema || checkOutput(schema, text).length > 0) return null
  return 'Not run: the answer of this role was already written. Tools come before it.'
}

function isDenied({ state }: CallView, gate: GateName): boolean {
  return state.type === 'ended' && state.outcome.type === 'denied' && state.outcome.gate === gate
}

/**
 * Returns why the next answer of a run is its last one, as a sentence; null = it is not. It is after one request too
 * many, and after two unusable ones in a row (SPEC W).
 */
export function endOfAsking(rounds: readonly RoundView[]): string | null {
  const last = rounds.at(-1)
  if (last?.calls.some((call) => isDenied(call, 'hop-budget'))) {
    const where = last.inText ? ' in prompted mode' : ''
    return `The limit of tool requests${where} was reached. The final answer was written without tools.`
  }
  if (!last?.inText) return null
  const before = rounds.at(-2)
  if (!before?.inText || isHop(last) || isHop(before)) return null
  return 'The model wrote two tool requests in a row that could not be used. The final answer was written without tools.'
}

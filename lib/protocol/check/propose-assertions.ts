import { addCost } from '@/lib/protocol/cost/cost'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { hasAnswer } from '@/lib/protocol/run/round-view'
import type { EndReason } from '@/lib/protocol/run/run-event'
import type { GateName } from '@/lib/protocol/tool'
import type { Assertion } from './assertion'
import { longestToolName, mostAssertions } from './assertion-limits'
import { type EndedCall, type Ending, endedCalls, refusedBy } from './call-ending'
import { isCut } from './judge-answer'

/** Ends of a run by somebody, which say nothing about what it would have done. */
export const stoppedReasons: readonly EndReason[] = ['cancelled', 'frozen', 'revoked']

/**
 * Returns assertions that keep what this run did, each of which passes on it; [] = it has not ended. Mistakes of the model and
 * accidents are left out, of a run that was stopped also its end, and so are arguments, which may have secrets. Of very many tools, the first are taken.
 */
export function proposeAssertions(state: RunState): Assertion[] {
  const { end } = state
  if (!end) return []
  const isStopped = stoppedReasons.includes(end.reason)
  const ending: Assertion[] = isStopped ? [] : [{ type: 'end-reason', reason: end.reason }]
  if (!hasAnswer(state.rounds)) return ending
  const ofRun = isStopped ? [] : [...ofAnswer(state), ...ending, ...bounds(state)]
  const calls = endedCalls(state).filter(({ name }) => isNameable(name))
  const ofCalls = [...calledTools(calls), ...order(calls), ...endings(calls), ...gates(calls)]
  return [...ofCalls.slice(0, mostAssertions - ofRun.length), ...ofRun]
}

function isNameable(name: string): boolean {
  return name !== '' && name === name.trim() && name.length <= longestToolName
}

/** Ends of calls that say something about the tool, and not about the model or an accident. */
const keptEndings: readonly Ending[] = ['ok', 'failed', 'timed-out']

function kept(calls: readonly EndedCall[]): EndedCall[] {
  return calls.filter(({ ending }) => keptEndings.includes(ending))
}

function calledTools(calls: readonly EndedCall[]): Assertion[] {
  const counts = new Map<string, number>()
  for (const { name } of kept(calls)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([tool, count]) => ({
    type: 'tool-called',
    tool,
    atLeast: Math.min(count, 1_000),
  }))
}

/** Returns the order in which tools were first called. Calls of one round have no order that would matter. */
function order(calls: readonly EndedCall[]): Assertion[] {
  const tools: string[] = []
  const rounds = new Set<number>()
  for (const { name, round } of kept(calls)) {
    if (tools.includes(name) || rounds.has(round)) continue
    tools.push(name)
    rounds.add(round)
  }
  return tools.length < 2 ? [] : [{ type: 'tools-in-order', tools: tools.slice(0, 50) }]
}

function endings(calls: readonly EndedCall[]): Assertion[] {
  return distinct(
    calls.flatMap(({ name: tool, ending }): Assertion[] => {
      switch (ending) {
        case 'ok':
        case 'failed':
        case 'timed-out':
          return [{ type: 'call-outcome', tool, outcome: ending }]
        default:
          return []
      }
    }),
  )
}

/** Gates that refuse a call because of the moment or of a mistake of the model, and what a person decided. */
const passingGates: readonly GateName[] = [
  'registered',
  'offer',
  'round-limit',
  'hop-budget',
  'state',
  'run-ended',
  'cost-cap',
  'approval',
]

function gates(calls: readonly EndedCall[]): Assertion[] {
  return distinct(
    calls.flatMap((call): Assertion[] => {
      const { name: tool, approval } = call
      const gate = refusedBy(call)
      const isKept = gate !== null && !passingGates.includes(gate)
      return [
        ...(approval ? [{ type: 'approval-asked' as const, tool }] : []),
        ...(isKept ? [{ type: 'gate-refused' as const, tool, gate }] : []),
      ]
    }),
  )
}

function distinct(assertions: readonly Assertion[]): Assertion[] {
  return [...new Map(assertions.map((each) => [JSON.stringify(each), each])).values()]
}

/** Returns an assertion about the schema of the run, whose end has the answer as JSON where it fits. */
function ofAnswer(state: RunState): Assertion[] {
  const schema = state.start?.snapshot.options?.outputSchema ?? null
  const isFit = state.end?.structured !== undefined && !isCut(state)
  return schema && isFit ? [{ type: 'answer-fits', schema }] : []
}

/** A model may take another way: this many times as much still passes. */
const slack = 2

function bounds(state: RunState): Assertion[] {
  const calls = state.rounds.reduce((sum, round) => sum + round.calls.length, 0)
  const cost = addCost(state.costMicroUsd, state.childrenMicroUsd)
  return [
    { type: 'calls-at-most', tool: null, count: calls * slack },
    { type: 'rounds-at-most', count: state.rounds.length * slack },
    ...(cost ? [{ type: 'cost-at-most' as const, microUsd: cost * slack }] : []),
  ]
}

import type { Assertion } from '@/lib/protocol/check/assertion'
import type { RunState } from '@/lib/protocol/run/fold-run'

/** Returns the assertion with another value, which the run cannot fulfil; null: there is none. */
export function changedAssertion(assertion: Assertion, state: RunState): Assertion | null {
  const calls = state.rounds.flatMap((round) => round.calls)
  switch (assertion.type) {
    case 'tool-called':
      return { ...assertion, atLeast: calls.length + 1 }
    case 'tools-in-order':
      return { ...assertion, tools: [...assertion.tools, 'absent'] }
    case 'calls-at-most':
      return calls.length === 0 ? null : { ...assertion, count: calls.length - 1 }
    case 'call-outcome':
      return { ...assertion, outcome: 'unknown' }
    case 'approval-asked':
      return { ...assertion, tool: 'never_asked' }
    case 'gate-refused':
      return { ...assertion, gate: 'canary' }
    case 'answer-fits':
      return { ...assertion, schema: { type: 'array' } }
    case 'end-reason':
      return { ...assertion, reason: assertion.reason === 'loop' ? 'context' : 'loop' }
    case 'rounds-at-most':
      return { ...assertion, count: state.rounds.length - 1 }
    case 'cost-at-most':
      return { ...assertion, microUsd: (state.costMicroUsd ?? 0) - 1 }
    default:
      throw new Error(`Nothing proposes ${assertion.type}.`)
  }
}

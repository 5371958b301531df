import type { PillState } from '@/components/ui/state-pill'
import type { AskedInText } from '@/lib/protocol/model/message'
import { faultWords } from '@/lib/protocol/model/model-text'
import type { CallView } from '@/lib/protocol/run/round-view'
import { isUndecided } from '@/lib/protocol/run/round-view'
import type { Outcome } from '@/lib/protocol/tool'
import { formatCount } from '@/lib/words/format'
import { approvalWords, decisionRemark } from './approval-words'
import { gateWords } from './gate-words'

type CallWords = { pill: PillState; word: string }

/**
 * Returns the pill of a call. After the end of the run, a call that did not start never will, and the outcome of one
 * that did not end is unknown.
 */
export function callWords(call: CallView, runEnded: boolean): CallWords {
  if (!runEnded && isUndecided(call)) return approvalWords('pending')
  const { state } = call
  switch (state.type) {
    case 'pending':
      if (wasRefused(call)) return { pill: 'denied', word: 'Denied' }
      return runEnded ? { pill: 'off', word: 'Not run' } : { pill: 'waiting', word: 'Queued' }
    case 'running':
      return runEnded
        ? { pill: 'warning', word: 'Unknown outcome' }
        : { pill: 'running', word: 'Running' }
    case 'ended':
      return outcomeWords(state.outcome.type)
    default:
      return state satisfies never
  }
}

/**
 * Returns whether the call was denied or its approval expired. It ends once the other calls of its round are decided.
 */
function wasRefused({ approval }: CallView): boolean {
  const said = approval?.decision?.type
  return said === 'denied' || said === 'expired'
}

/** Returns the pill of a call that ended. */
export function outcomeWords(type: Outcome['type']): CallWords {
  switch (type) {
    case 'ok':
      return { pill: 'ok', word: 'Done' }
    case 'denied':
      return { pill: 'denied', word: 'Denied' }
    case 'invalid-arguments':
    case 'failed':
      return { pill: 'error', word: 'Failed' }
    case 'timed-out':
      return { pill: 'error', word: 'Timed out' }
    case 'cancelled':
      return { pill: 'off', word: 'Cancelled' }
    case 'unknown':
      return { pill: 'warning', word: 'Unknown outcome' }
    default:
      return type satisfies never
  }
}

/** Returns the line under the header of a call that did not simply succeed; null when there is nothing to add. */
export function callRemark(call: CallView, inText: AskedInText | null): string | null {
  const decision = call.approval?.decision ?? null
  if (call.state.type !== 'ended') return decision && decisionRemark(decision)
  const { outcome } = call.state
  switch (outcome.type) {
    case 'ok':
      return outcome.flags.length > 0
        ? `Suspicious phrases: the result ${flagWords(outcome.flags)}.`
        : decision && decisionRemark(decision)
    case 'denied': {
      if (outcome.gate === 'approval' && decision) return decisionRemark(decision)
      if (outcome.gate === 'rule' && outcome.told) return outcome.told
      const about = { toolName: call.name, configurationId: null, userId: null }
      const { short, where } = gateWords(outcome.gate, about)
      return `Denied: ${short}${where ? ` (${where.label})` : ''}`
    }
    case 'invalid-arguments':
      return inText?.fault
        ? `${faultWords[inText.fault]} The call did not run.`
        : 'The arguments do not match the tool’s schema. The call did not run.'
    case 'failed':
      return outcome.message
    case 'timed-out':
      return `No result within ${outcome.timeoutMs / 1000} s. The tool was stopped.`
    case 'cancelled':
      return outcome.reason
    case 'unknown':
      return outcome.reason
    default:
      return outcome satisfies never
  }
}

/** Descriptions of suspicious phrases. Flags of other versions are shown by their names. */
const phraseWords: ReadonlyMap<string, string> = new Map([
  ['ignore-instructions', 'asks to ignore instructions'],
  ['new-instructions', 'gives new instructions'],
  ['role-change', 'gives another role'],
  ['system-prompt', 'asks for secrets or the system prompt'],
  ['hide-from-user', 'asks to hide something'],
  ['exfiltrate', 'asks to send data away'],
  ['call-a-tool', 'asks for a tool call'],
  ['chat-markup', 'imitates chat markup'],
  ['hidden-text', 'contains hidden or disguised text'],
])

/** Returns each kind of suspicious phrase in a result, with the number of times it was found. */
export function countFlags(
  flags: readonly string[],
): { name: string; words: string; times: number }[] {
  const times = new Map<string, number>()
  for (const name of flags) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times].map(([name, count]) => ({
    name,
    words: phraseWords.get(name) ?? name,
    times: count,
  }))
}

/** Returns "asks to ignore instructions (3 times), gives new instructions". */
function flagWords(flags: readonly string[]): string {
  return countFlags(flags)
    .map((flag) =>
      flag.times > 1 ? `${flag.words} (${formatCount(flag.times)} times)` : flag.words,
    )
    .join(', ')
}

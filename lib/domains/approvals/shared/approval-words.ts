import { noteForModel } from '@/lib/protocol/model/model-text'
import type { CallView } from '@/lib/protocol/run/round-view'

const maxMessage = 1_000
const maxArguments = 4_000

/**
 * Returns what the model is told, after the result of a call, about a person's decision (SPEC G-A): why it was denied,
 * or that it ran with edited arguments. Empty when there is nothing to tell. It does not name the person.
 */
export function approvalNote({ approval, state }: Pick<CallView, 'approval' | 'state'>): string {
  const decision = approval?.decision
  if (!decision) return ''
  const wasRun = state.type !== 'ended' || state.outcome.type !== 'denied'
  switch (decision.type) {
    case 'approved':
      return ''
    case 'denied':
      return decision.message === ''
        ? ''
        : noteForModel(`A person refused this call and says: ${cut(decision.message, maxMessage)}`)
    case 'edited': {
      const edited = cut(decision.argumentsText, maxArguments)
      return wasRun
        ? noteForModel(`A person changed the arguments of this call before it ran, to: ${edited}`)
        : ''
    }
    case 'expired':
      return noteForModel('Nobody answered in time.')
    default:
      return decision satisfies never
  }
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters).toWellFormed()}…` : text
}

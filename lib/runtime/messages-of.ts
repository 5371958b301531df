import { approvalNote } from '@/lib/protocol/approval-note'
import type { RunState } from '@/lib/protocol/fold-run'
import type { Message } from '@/lib/protocol/message'
import {
  type Fence,
  fenceLine,
  modelText,
  noteForModel,
  roundNote,
} from '@/lib/protocol/model-text'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import type { RunEventOf } from '@/lib/protocol/run-event'
import { skillText } from '@/lib/protocol/skill-text'
import { startOf } from './run-step'

type Start = RunEventOf<'run-start'>['data']

/**
 * The same round or prompt gives the same Message objects in every request of a run: adapters and token counts
 * remember by identity, so that a round costs what is new in it and not the whole conversation again. An answer has two
 * objects at most: as its provider wrote it, and the portable one for other models.
 */
const messagesOfRound = {
  portable: new WeakMap<RoundView, Message[]>(),
  native: new WeakMap<RoundView, Message[]>(),
}
const promptsOf = new WeakMap<Start, Map<string, Message>>()

/** What a request needs to know to put a conversation into messages. */
export type Telling = {
  /** Whether the system prompt speaks of fences: then the prompt begins with the tags of this run. */
  fenced: boolean
  prunedThrough: number
  /** The answer of a round as its provider wrote it, when this request may have it; null = the portable form. */
  nativeOf: (round: RoundView) => string | null
}

/** The conversation as the model is to see it: skills and prompt, then every answered round after `prunedThrough`. */
export function messagesOf(state: RunState, telling: Telling): Message[] {
  const start = startOf(state)
  const { fenced, prunedThrough, nativeOf } = telling
  const messages = [promptMessage(start, { fenced, pruned: prunedThrough > 0 })]
  for (const round of state.rounds) {
    if (round.response && round.round > prunedThrough) {
      messages.push(...roundMessages(round, start, nativeOf(round)))
    }
  }
  return messages
}

export function promptMessage(
  start: Start,
  { fenced, pruned }: { fenced: boolean; pruned: boolean },
): Message {
  const known = promptsOf.get(start) ?? new Map<string, Message>()
  promptsOf.set(start, known)
  const key = `${fenced}/${pruned}`
  const prompt = known.get(key)
  if (prompt) return prompt
  const text = [
    fenced ? fenceLine(start) : '',
    skillText(start.snapshot.skills, start),
    start.prompt,
    pruned ? noteForModel(prunedNote) : '',
  ].join('')
  const made: Message = { role: 'user', text }
  known.set(key, made)
  return made
}

const prunedNote = 'Earlier rounds of this conversation were left out because they no longer fit.'

/** The response of a finished round and the results of its calls, in call order (SPEC R6, R12). */
export function roundMessages(
  round: RoundView,
  fence: Fence,
  native: string | null = null,
): Message[] {
  const known = messagesOfRound[native === null ? 'portable' : 'native']
  let messages = known.get(round)
  if (!messages) {
    const answer = { ...portableAnswer(round), ...(native !== null && { native }) }
    const results =
      native === null ? resultMessages(round, fence) : roundMessages(round, fence).slice(1)
    messages = [answer, ...results]
    known.set(round, messages)
  }
  return messages
}

function portableAnswer({ text, reasoning, calls }: RoundView) {
  const toolCalls = calls.map(({ callId, providerCallId, name, argumentsText }) => ({
    callId,
    providerCallId,
    name,
    argumentsText,
  }))
  return { role: 'assistant' as const, text, reasoning, toolCalls }
}

function resultMessages(round: RoundView, fence: Fence): Message[] {
  return round.calls.map((call, index) => {
    const { content, isError } = resultText(call, fence)
    const isLast = index === round.calls.length - 1
    const notes = approvalNote(call) + (isLast ? roundNote(round) : '')
    return {
      role: 'tool',
      providerCallId: call.providerCallId,
      name: call.name,
      content: content + notes,
      isError,
    }
  })
}

function resultText(call: CallView, fence: Fence): { content: string; isError: boolean } {
  if (call.state.type !== 'ended') return { content: 'This call has no result.', isError: true }
  return modelText(call.name, call.state.outcome, fence)
}

import { approvalNote } from '@/lib/protocol/approval-note'
import { callTag } from '@/lib/protocol/asked-in-text'
import type { RunState } from '@/lib/protocol/fold-run'
import type { Message } from '@/lib/protocol/message'
import {
  type Fence,
  fenceLine,
  type ModelText,
  noteForModel,
  resultTag,
  resultText,
  roundNote,
} from '@/lib/protocol/model-text'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import type { RunEventOf } from '@/lib/protocol/run-event'
import { skillText } from '@/lib/protocol/skill-text'
import { isUnfit, repairText } from './output-check'
import { startOf } from './run-step'

type Start = RunEventOf<'run-start'>['data']

/**
 * The same round or prompt gives the same Message objects in every request of a run: adapters and token counts
 * remember by identity, so that a round costs what is new in it and not the whole conversation again. A round has a few
 * forms at most: as its provider wrote it, the portable one for other models, and those for models that ask in text.
 */
const messagesOfRound = new WeakMap<RoundView, Map<string, Message[]>>()
const promptsOf = new WeakMap<Start, Map<string, Message>>()

/** What a request needs to know to put a conversation into messages. */
export type Telling = {
  /** Whether the system prompt speaks of fences: then the prompt begins with the tags of this run. */
  fenced: boolean
  prunedThrough: number
  /** The answer of a round as its provider wrote it, when this request may have it; null = the portable form. */
  nativeOf: (round: RoundView) => string | null
  /** Whether this model asks for tools in text (SPEC W): then what was asked and came back is text, too. */
  inText: boolean
}

/** The conversation as the model is to see it: skills and prompt, then every answered round after `prunedThrough`. */
export function messagesOf(state: RunState, telling: Telling): Message[] {
  const start = startOf(state)
  const { fenced, prunedThrough } = telling
  const messages = [promptMessage(start, { fenced, pruned: prunedThrough > 0 })]
  for (const round of state.rounds) {
    if (round.response && round.round > prunedThrough) {
      messages.push(...roundMessages(round, start, telling))
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
  const { nonce, canary } = start
  const attachments = start.files?.map((file) => ({ ...file, fence: { nonce, canary } }))
  const made: Message = { role: 'user', text, ...(attachments && { attachments }) }
  known.set(key, made)
  return made
}

const prunedNote = 'Earlier rounds of this conversation were left out because they no longer fit.'

/** The response of a finished round and the results of its calls, in call order (SPEC R6, R12). */
export function roundMessages(
  round: RoundView,
  fence: Fence,
  telling: Pick<Telling, 'nativeOf' | 'inText'>,
): Message[] {
  const inText = round.calls.length > 0 && (telling.inText || !isPortable(round))
  const native = telling.nativeOf(round)
  const forms = messagesOfRound.get(round) ?? new Map<string, Message[]>()
  messagesOfRound.set(round, forms)
  const known = forms.get(formName(inText, native !== null))
  if (known) return known
  const [, ...results] = forms.get(formName(inText, native === null)) ?? []
  const answer = inText ? answerInText(round) : portableAnswer(round)
  const made = [
    { ...answer, ...(native !== null && { native }) },
    ...(results.length > 0 ? results : resultsOf(round, fence, inText)),
  ]
  forms.set(formName(inText, native !== null), made)
  return made
}

function formName(inText: boolean, isNative: boolean): string {
  return `${inText}/${isNative}`
}

/** What every API type takes as the name of a tool. */
const usableName = /^[\w-]{1,64}$/

/** Whether the calls of a round can go back as calls: what a model asked for in text may be none. */
function isPortable({ inText, calls }: RoundView): boolean {
  if (inText === null) return true
  return inText.fault === null && calls.every(({ name }) => usableName.test(name))
}

/** The very text that the model wrote; the calls of another model as it would have asked for them in text. */
function answerInText({ text, reasoning, calls, inText }: RoundView) {
  const asked = inText ? [inText.tag + inText.after] : calls.map(callTag)
  const gap = inText || text === '' ? '' : '\n'
  return {
    role: 'assistant' as const,
    text: text + gap + asked.join('\n'),
    reasoning,
    toolCalls: [],
  }
}

function resultsOf(round: RoundView, fence: Fence, inText: boolean): Message[] {
  if (isUnfit(round)) return [{ role: 'user', text: repairText(round.outputErrors ?? []) }]
  const results = resultMessages(round, fence)
  if (!inText) return results
  const tagged = results.map(({ name, content }) => resultTag(name, content))
  return [{ role: 'user', text: tagged.join('\n\n') }]
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

function resultMessages(round: RoundView, fence: Fence): Extract<Message, { role: 'tool' }>[] {
  return round.calls.map((call, index) => {
    const { content, isError } = callText(call, round, fence)
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

function callText({ name, state }: CallView, { inText }: RoundView, fence: Fence): ModelText {
  if (state.type !== 'ended') return { content: 'This call has no result.', isError: true }
  return resultText(name, state.outcome, { inText, fence })
}

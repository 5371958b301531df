import { approvalNote } from '@/lib/domains/approvals/shared/approval-words'
import { sentRounds } from '@/lib/engines/runtime/earlier-turns'
import { isUnfit, repairText } from '@/lib/engines/runtime/output-check'
import { startOf } from '@/lib/engines/runtime/run-step'
import { type Attachment, callTag, type Message } from '@/lib/protocol/model/message'
import {
  type Fence,
  fenceLine,
  type ModelText,
  noteForModel,
  resultTag,
  resultText,
  roundNote,
  skillText,
} from '@/lib/protocol/model/model-text'
import { type ImageTaker, imageNote, imagesOf, whyUnsent } from '@/lib/protocol/model/result-images'
import { memoryText } from '@/lib/protocol/prompt-memory'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import type { RunEventOf } from '@/lib/protocol/run/run-event'

type Start = RunEventOf<'run-start'>['data']

/**
 * The same round or prompt gives the same Message objects in every request of a run, because adapters and token counts
 * cache by identity; a round then costs only what is new. A round has few forms: native, portable for other models,
 * text for models in prompted mode, and each without the images that a model does not get.
 */
const formsOfRound = new WeakMap<
  RoundView,
  { hasImages: boolean; known: Map<number | string, Message[]> }
>()
const promptsOf = new WeakMap<Start, Map<string, Message>>()

/** Settings of a request that shape the messages of a conversation. */
export type MessageForm = {
  /** The system prompt mentions fences, so the prompt begins with the tags of this run. */
  fenced: boolean
  /** Number of the oldest turns that are left out. */
  prunedTurns: number
  prunedThrough: number
  /** The native answer of a round, when this request may have it; null = the portable form. */
  nativeOf: (round: RoundView) => string | null
  /** The model asks for tools in text (SPEC W), so calls and results are text, too. */
  inText: boolean
  /** The model that is asked, which decides about images. */
  target: ImageTaker
  /** Returns the model's name for a tool, the same in the whole run; left out: its own name. */
  calledAs?: (name: string) => string
}

/** A turn before the run, and how its rounds are sent. */
export type TurnForm = { state: RunState; nativeOf: MessageForm['nativeOf'] }

/**
 * Returns the conversation for the model: the turns before, then skills, notes and prompt of this one, and every answered round after
 * `prunedThrough`. Whatever is left out is left out at the beginning, so that the rest is the same in every request.
 */
export function messagesOf(
  state: RunState,
  wanted: MessageForm,
  earlier: readonly TurnForm[] = [],
): Message[] {
  const start = startOf(state)
  const { fenced, prunedThrough, prunedTurns } = wanted
  const kept = earlier.slice(prunedTurns)
  const messages: Message[] = []
  const known = new Set<string>()
  for (const { state: turn, nativeOf } of kept) {
    const isFirst = messages.length === 0
    const form = { fenced: isFirst && fenced, turnsLeftOut: isFirst && prunedTurns > 0, known }
    messages.push(promptMessage(startOf(turn), { ...form, pruned: turn.prunedThrough > 0 }))
    messages.push(...turnMessages(turn, { ...wanted, nativeOf }))
  }
  const isFirst = kept.length === 0
  const form = { fenced: isFirst && fenced, turnsLeftOut: isFirst && prunedTurns > 0, known }
  messages.push(promptMessage(start, { ...form, pruned: prunedThrough > 0 }))
  for (const round of state.rounds) {
    if (round.response && round.round > prunedThrough) {
      messages.push(...roundMessages(round, start, wanted))
    }
  }
  return messages
}

/**
 * Returns what followed the prompt of an earlier turn. It ends with an answer of the model, or with a line that there was none,
 * because the next message is a prompt.
 */
export function turnMessages(state: RunState, form: RoundForm): Message[] {
  const start = startOf(state)
  const rounds = sentRounds(state)
  const messages = rounds.flatMap((round) => roundMessages(round, start, form))
  const last = rounds.at(-1)
  // Dropped: no repair of the last answer was requested.
  if (last && isUnfit(last) && last.calls.length === 0) messages.pop()
  const answer = messages.at(-1)
  if (answer?.role === 'assistant' && answer.text.trim() !== '') return messages
  if (answer?.role === 'assistant' && answer.toolCalls.length === 0) messages.pop()
  return [...messages, noAnswer]
}

/** Hides from the provider who stopped a run and why. */
const noAnswer: Message = {
  role: 'assistant',
  text: '(This turn ended without an answer.)',
  reasoning: [],
  toolCalls: [],
}

/** `known`: the skills that turns before have; those of this one are added. */
type PromptForm = { fenced: boolean; pruned: boolean; turnsLeftOut: boolean; known: Set<string> }

/** Returns the prompt of a turn, with the skills that no turn before it in the request has. */
export function promptMessage(
  start: Start,
  { fenced, pruned, turnsLeftOut, known }: PromptForm,
): Message {
  const made = promptsOf.get(start) ?? new Map<string, Message>()
  promptsOf.set(start, made)
  const skills = start.snapshot.skills.filter(({ name, body }) => !known.has(`${name}\n${body}`))
  for (const { name, body } of skills) known.add(`${name}\n${body}`)
  const key = [fenced, pruned, turnsLeftOut, ...skills.map(({ name }) => name)].join('/')
  const prompt = made.get(key)
  if (prompt) return prompt
  const text = [
    fenced ? fenceLine(start) : '',
    turnsLeftOut ? `${noteForModel(turnsLeftOutNote).trimStart()}\n\n` : '',
    skillText(skills, start),
    memoryText(start.memory, start),
    start.prompt,
    pruned ? noteForModel(prunedNote) : '',
  ].join('')
  const { nonce, canary } = start
  const attachments = start.files?.map((file) => ({ ...file, fence: { nonce, canary } }))
  const message: Message = { role: 'user', text, ...(attachments && { attachments }) }
  made.set(key, message)
  return message
}

const turnsLeftOutNote =
  'Earlier turns of this conversation were left out because they no longer fit.'

const prunedNote = 'Earlier rounds of this conversation were left out because they no longer fit.'

/** Settings that shape the messages of a round. */
export type RoundForm = Omit<MessageForm, 'fenced' | 'prunedTurns' | 'prunedThrough'>

/** Returns the response of a finished round and the results of its calls, in call order (SPEC R6, R12). */
export function roundMessages(round: RoundView, fence: Fence, wanted: RoundForm): Message[] {
  const inText = round.calls.length > 0 && (wanted.inText || !isPortable(round))
  const { target, calledAs = asItIs } = wanted
  const native = wanted.nativeOf(round)
  const { hasImages, known } = formsOf(round)
  const images = hasImages ? imagesForm(round, target) : ''
  const form = formName(inText, native !== null, images)
  const made = known.get(form)
  if (made) return made
  const [, ...results] = known.get(formName(inText, native === null, images)) ?? []
  const answer = inText ? answerInText(round, calledAs) : portableAnswer(round, calledAs)
  const messages = [
    { ...answer, ...(native !== null && { native }) },
    ...(results.length > 0 ? results : resultsOf(round, fence, { inText, target, calledAs })),
  ]
  known.set(form, messages)
  return messages
}

type CalledAs = (name: string) => string
const asItIs: CalledAs = (name) => name

/** Returns the forms of a round for requests, computed once, because every request contains every round. */
function formsOf(round: RoundView) {
  const forms = formsOfRound.get(round)
  if (forms) return forms
  const hasImages = round.calls.some((call) => imagesOf(call).length > 0)
  const first = { hasImages, known: new Map<number | string, Message[]>() }
  formsOfRound.set(round, first)
  return first
}

function formName(inText: boolean, isNative: boolean, images: string): number | string {
  const form = (inText ? 1 : 0) + (isNative ? 2 : 0)
  return images === '' ? form : `${form}/${images}`
}

/** Returns which images of the round are sent to this model. */
function imagesForm({ calls }: RoundView, target: ImageTaker): string {
  return calls
    .flatMap(imagesOf)
    .map((image) => whyUnsent(target, image) ?? 'sent')
    .join('/')
}

/** The pattern of tool names that every API type accepts. */
const usableName = /^[\w-]{1,64}$/

/** Returns whether the calls of a round can be sent as calls. A name that a model requested in text may be invalid. */
function isPortable({ inText, calls }: RoundView): boolean {
  if (inText === null) return true
  return inText.fault === null && calls.every(({ name }) => usableName.test(name))
}

/**
 * Returns the text that the model wrote up to its request, because what it wrote behind it may pretend to be a result;
 * for the calls of another model, the text for prompted mode.
 */
function answerInText({ text, reasoning, calls, inText }: RoundView, calledAs: CalledAs) {
  const tags = inText
    ? [inText.tag]
    : calls.map((call) => callTag({ ...call, name: calledAs(call.name) }))
  const gap = inText || text === '' ? '' : '\n'
  return {
    role: 'assistant' as const,
    text: text + gap + tags.join('\n'),
    reasoning,
    toolCalls: [],
  }
}

type ResultsFor = Pick<MessageForm, 'inText' | 'target'> & { calledAs: CalledAs }

function resultsOf(round: RoundView, fence: Fence, form: ResultsFor): Message[] {
  if (isUnfit(round)) return [{ role: 'user', text: repairText(round.outputErrors ?? []) }]
  const results = resultMessages(round, fence, form)
  if (!form.inText) return results
  const tagged = results.map(({ name, content }) => resultTag(name, content))
  const attachments = results.flatMap((result) => result.attachments ?? [])
  return [
    { role: 'user', text: tagged.join('\n\n'), ...(attachments.length > 0 && { attachments }) },
  ]
}

function portableAnswer({ text, reasoning, calls }: RoundView, calledAs: CalledAs) {
  const toolCalls = calls.map(({ callId, providerCallId, name, argumentsText }) => ({
    callId,
    providerCallId,
    name: calledAs(name),
    argumentsText,
  }))
  return { role: 'assistant' as const, text, reasoning, toolCalls }
}

function resultMessages(
  round: RoundView,
  fence: Fence,
  { target, calledAs }: ResultsFor,
): Extract<Message, { role: 'tool' }>[] {
  return round.calls.map((call, index) => {
    // The content names the tool itself, as the trace shows it.
    const { content, isError } = callText(call, round, fence)
    const isLast = index === round.calls.length - 1
    const notes = imageNote(call, target) + approvalNote(call) + (isLast ? roundNote(round) : '')
    const attachments = sentImages(call, fence, target)
    return {
      role: 'tool',
      providerCallId: call.providerCallId,
      name: calledAs(call.name),
      content: content + notes,
      isError,
      ...(attachments && { attachments }),
    }
  })
}

function sentImages(call: CallView, fence: Fence, target: ImageTaker): Attachment[] | null {
  const images = imagesOf(call)
  if (images.length === 0) return null
  const { nonce, canary } = fence
  const sent = images.filter((image) => whyUnsent(target, image) === null)
  return sent.length > 0 ? sent.map((image) => ({ ...image, fence: { nonce, canary } })) : null
}

function callText({ name, state }: CallView, { inText }: RoundView, fence: Fence): ModelText {
  if (state.type !== 'ended') return { content: 'This call has no result.', isError: true }
  return resultText(name, state.outcome, { inText, fence })
}

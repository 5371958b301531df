import { cleanName, cleanText } from '@/lib/protocol/clean-text'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'
import type { MayResend, ModelFinish, ModelRequest } from '@/lib/protocol/message'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { Usage } from '@/lib/protocol/money'
import type { RunPiece } from '@/lib/protocol/run-delta'
import { redactCanary, redactRanges, type Spelling, searchCanary, spellingsOf } from './canary'
import { JournalLostError } from './deps'
import { adapterFault, brokenOff } from './fall-back'
import { recordNotes } from './plan-request'
import { readTextCalls } from './prompted-mode'
import { isHandover, type RunStep } from './run-step'

/** How long a provider may take to stop before its stream is abandoned (SPEC R9). */
const stopGraceMs = 1000

/** What is known of every reply. `resent`: requests that the adapter repeated itself. */
export type Streamed = {
  /** The names and arguments of calls that were shown: they count as output of an answer that broke off. */
  draftText: string
  resent: number
  latencyMs: number
  firstTokenMs: number | null
}

/**
 * How a request to a model ended. `part` is what the model wrote until then. `refused` = nothing was received that may
 * have to be paid for. `shown` = text or a call was shown: no silent retry and no fallback then; reasoning alone does
 * not count (SPEC R15). `stopped` = the step was stopped; `part` is null when the provider had refused before, and
 * empty when it had not answered yet, because the input may have to be paid for (SPEC M5). `handed-over` = the same, but
 * another process asks again, because a part would look like a truncated answer.
 */
type Ending =
  | { type: 'answered'; finish: ModelFinish }
  | { type: 'refused'; failure: ProviderFailure }
  | { type: 'broke-off'; failure: ProviderFailure; part: ModelFinish; shown: boolean }
  | { type: 'stopped'; part: ModelFinish | null }
  | { type: 'handed-over'; part: ModelFinish | null }

export type Reply = Streamed & Ending

type Seen = {
  text: string
  reasoning: string
  drafts: string
  called: boolean
  firstAt: number | null
  finish: ModelFinish | null
  failure: ProviderFailure | null
  /** The usage of an answer that failed. */
  usage: Usage | null
  resent: number
  notes: string[]
}

const nothingSeen: Seen = {
  text: '',
  reasoning: '',
  drafts: '',
  called: false,
  firstAt: null,
  finish: null,
  failure: null,
  usage: null,
  resent: 0,
  notes: [],
}

type Asked = { round: number; target: ModelTarget; request: ModelRequest; mayResend: MayResend }

/**
 * Asks a model once, shows its answer as it streams, and records what the adapter sent otherwise than set. Never
 * throws for a fault of a provider.
 */
export async function streamReply(step: RunStep, asked: Asked): Promise<Reply> {
  const { now } = step.deps
  const askedAt = now()
  const seen: Seen = { ...nothingSeen }
  const deltas = openDeltaBatcher(step, asked.round)
  try {
    await leaveBehind(consume(step, asked, seen, deltas), step)
  } finally {
    deltas.close()
  }
  recordNotes(step, asked.round, seen.notes)
  return {
    ...endingOf(step, seen),
    draftText: seen.drafts,
    resent: seen.resent,
    latencyMs: now() - askedAt,
    firstTokenMs: seen.firstAt === null ? null : seen.firstAt - askedAt,
  }
}

async function consume(
  step: RunStep,
  { target, request, mayResend }: Asked,
  seen: Seen,
  deltas: ReturnType<typeof openDeltaBatcher>,
): Promise<void> {
  const { deps } = step
  try {
    const events = deps.streamModel(target, request, step.signal, mayResend)
    for await (const event of request.toolsInText ? readTextCalls(events) : events) {
      if (event.type === 'finish' || event.type === 'error') {
        if (event.type === 'finish') seen.finish = event
        else {
          seen.failure = event.failure
          seen.usage = event.usage ?? null
        }
        seen.resent = event.resent ?? 0
        seen.notes = event.notes ?? []
        return
      }
      seen.firstAt ??= deps.now()
      switch (event.type) {
        case 'text-delta':
          seen.text += event.text
          deltas.push(textDelta, event.text)
          break
        case 'reasoning-delta':
          seen.reasoning += event.text
          deltas.push(reasoningDelta, event.text)
          break
        case 'tool-call-delta':
          seen.called = true
          seen.drafts += event.argumentsText || event.name
          deltas.push({ kind: 'call', index: event.index, name: event.name }, event.argumentsText)
          break
        default:
          event satisfies never
      }
    }
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    seen.failure = adapterFault(step, error)
  }
}

const textDelta = { kind: 'text' } as const
const reasoningDelta = { kind: 'reasoning' } as const

/** Waits for the stream; after the step was stopped, at most `stopGraceMs`. */
function leaveBehind(stream: Promise<void>, step: RunStep): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancel: (() => void) | null = null
    const giveUp = () => {
      cancel = step.deps.after(stopGraceMs, resolve)
    }
    const settled = () => {
      cancel?.()
      step.signal.removeEventListener('abort', giveUp)
    }
    if (step.signal.aborted) giveUp()
    else step.signal.addEventListener('abort', giveUp)
    stream.finally(settled).then(resolve, reject)
  })
}

function endingOf(step: RunStep, seen: Seen): Ending {
  const whole = seen.finish && !isEmptyCut(seen.finish) ? seen.finish : null
  const isHandedOver = isHandover(step.signal) && (!whole || whole.finishReason === 'cut')
  if (whole && !isHandedOver) return { type: 'answered', finish: whole }
  const hasCost = seen.firstAt !== null || seen.usage !== null
  if (step.signal.aborted) {
    const isRefused = seen.failure !== null && seen.failure.category !== 'cancelled'
    const part = hasCost || !isRefused ? partOf(seen) : null
    return { type: isHandedOver ? 'handed-over' : 'stopped', part }
  }
  const failure = failureOf(step, seen)
  if (!hasCost) return { type: 'refused', failure }
  return { type: 'broke-off', failure, part: partOf(seen), shown: hasShown(seen) }
}

/** Returns whether a stream ended before its first event, which is a broken connection and not an empty answer. */
function isEmptyCut(finish: ModelFinish): boolean {
  return finish.finishReason === 'cut' && !finish.text.trim() && finish.toolCalls.length === 0
}

function hasShown({ text, called }: Seen): boolean {
  return called || text.trim() !== ''
}

const ofConnection: ReadonlySet<FailureCategory> = new Set(['connection', 'timeout'])

/** Returns the failure, which differs for a stream that broke after reasoning and one that never started (SPEC R15). */
function failureOf(step: RunStep, seen: Seen): ProviderFailure {
  const failure = seen.failure ?? brokenOff(step)
  const isBroken =
    seen.failure === null || (seen.firstAt !== null && ofConnection.has(failure.category))
  return isBroken && !hasShown(seen) ? { ...failure, cause: 'broken-stream' } : failure
}

function partOf(seen: Seen): ModelFinish {
  return {
    type: 'finish',
    finishReason: 'cut',
    text: seen.text,
    reasoning: seen.reasoning ? [{ text: seen.reasoning, signature: null, redacted: false }] : [],
    toolCalls: [],
    usage: seen.finish?.usage ?? seen.usage,
  }
}

/** Pieces are put together for this long (SPEC J2). */
const flushEveryMs = 40
const flushAtChars = 2048

type Delta = { kind: 'text' | 'reasoning' } | { kind: 'call'; index: number; name: string }

/** The part of a streamed text that is not shown yet. */
type Stream = { delta: Delta; text: string }

/**
 * Shows what a model writes in pieces of up to 40 ms or 2,048 characters, so that not every token costs its watchers.
 * The first piece is shown at once; a timer flushes during a pause. The canary is removed, and a possible beginning
 * of one is held back until it is known (SPEC T7). `close` shows the rest.
 */
function openDeltaBatcher(step: RunStep, round: number) {
  const { deps } = step
  const spellings = spellingsOf(step)
  const streams = new Map<string, Stream>()
  let current: Stream | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | null = null
  let closed = false

  const flush = (stream: Stream, whole: boolean): void => {
    const { delta, text } = stream
    const { shown, held } = split(text, whole, spellings)
    stream.text = held
    if (shown === '' && text !== '') return
    deps.journal.show(pieceOf(round, delta, shown, spellings))
    flushedAt = deps.now()
  }

  const flushNow = (): void => {
    cancelTimer = null
    try {
      if (current?.text) flush(current, false)
    } catch {
      // It is shown with the next piece, or with the whole message.
    }
  }

  const streamOf = (delta: Delta): Stream => {
    const key = delta.kind === 'call' ? `call ${delta.index}` : delta.kind
    const stream = streams.get(key) ?? { delta, text: '' }
    streams.set(key, stream)
    return stream
  }

  return {
    push: (delta: Delta, piece: string): void => {
      if (closed) return
      const stream = streamOf(delta)
      if (current !== stream && current?.text) flush(current, false)
      current = stream
      stream.text += piece
      if (stream.text.length >= flushAtChars || deps.now() - flushedAt >= flushEveryMs) {
        flush(stream, false)
      } else cancelTimer ??= deps.after(flushEveryMs, flushNow)
    },
    close: (): void => {
      cancelTimer?.()
      if (!closed) for (const stream of streams.values()) if (stream.text) flush(stream, true)
      closed = true
    },
  }
}

/** Holds back half of a surrogate pair and the possible beginning of a canary. */
function split(text: string, whole: boolean, spellings: readonly Spelling[]) {
  const { found, openFrom } = searchCanary(text, spellings)
  const complete = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
  const end = whole ? text.length : Math.min(openFrom, complete)
  const ranges = found.filter(({ to }) => to <= end)
  return { shown: redactRanges(text.slice(0, end), ranges), held: text.slice(end) }
}

function pieceOf(
  round: number,
  delta: Delta,
  piece: string,
  spellings: readonly Spelling[],
): RunPiece {
  const text = cleanText(piece)
  switch (delta.kind) {
    case 'text':
    case 'reasoning':
      return { type: `${delta.kind}-delta`, data: { round, text } }
    case 'call': {
      const name = cleanName(redactCanary(delta.name, spellings))
      return { type: 'call-delta', data: { round, index: delta.index, name, argumentsText: text } }
    }
    default:
      return delta satisfies never
  }
}

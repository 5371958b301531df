import {
  classifyFailure,
  isBrokenConnection,
  isTransportError,
  reportIncident,
} from '@/lib/engines/providers/failures/classify-failure'
import { checkAddress, tryAgain } from '@/lib/engines/providers/failures/connection-advice'
import {
  EndFailure,
  OverdueFailure,
  WireFailure,
} from '@/lib/engines/providers/failures/provider-error'
import { late } from '@/lib/engines/providers/http/answer-body'
import { contentTypeOf, responseBytes } from '@/lib/engines/providers/http/pooled-fetch'
import {
  defaultTimeouts,
  type Provider,
  type ProviderOptions,
  type ProviderTimeouts,
} from '@/lib/engines/providers/provider'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import type { MayResend, ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { countedUsage, finishTurn, headText, newTurn, type Turn, takeDeltas, webPage } from './turn'

/** Feeds a turn from the bytes of an answer. `end` is called once, when the body ended by itself. */
export type WireReader = { push: (bytes: Uint8Array) => void; end: () => void }

/**
 * Callbacks for the sending of a request: `mayResend` is awaited before each repetition that the API type makes by
 * itself; `note` receives a sentence for people when the request was changed.
 */
type SendReport = { mayResend: () => Promise<boolean>; note: (sentence: string) => void }

/** The differences between API types: sending a request and reading its answer. */
export type Wire = {
  name: string
  send: (request: ModelRequest, signal: AbortSignal, report: SendReport) => Promise<Response>
  read: (turn: Turn) => WireReader
}

/** More than any model writes; it bounds what a hostile provider can make us hold and store. */
const largestAnswerCharacters = 8 * 1024 * 1024

/**
 * The largest body of an answer: its text and the wire's framing, which takes some 300 bytes a token and is not held.
 */
const largestBodyBytes = 64 * 1024 * 1024

type Ending = Extract<ModelEvent, { type: 'finish' | 'error' }>

/**
 * Time that a finished answer may stay open before it is accepted, in milliseconds: servers send token counts after the
 * finish reason, and some never close the stream.
 */
const tailMs = { counted: 250, uncounted: 2_000 }

/** The most that is read of an answer that cannot be used, for its usage. `ProviderTimeouts.restMs` is how long. */
const restBytes = 8 * 1024 * 1024

/**
 * Time that the rest of a finished answer may take, in milliseconds; after that, the connection is closed instead of
 * reused.
 */
const drainMs = 1_000

/** Makes a provider of a wire: one request, deltas as they come, exactly one last event, never a throw. */
export function streamingProvider(wire: Wire, options: ProviderOptions): Provider {
  return {
    stream: (request, signal, mayResend = always) =>
      streamTurn(wire, options, { request, signal, mayResend }),
  }
}

const always: MayResend = async () => true

type Asked = { request: ModelRequest; signal: AbortSignal; mayResend: MayResend }

async function* streamTurn(
  wire: Wire,
  options: ProviderOptions,
  { request, signal, mayResend }: Asked,
): AsyncGenerator<ModelEvent, void> {
  const turn = newTurn()
  // The SDKs leave a listener on the signal they get; a run's signal outlives many requests.
  const own = new AbortController()
  const abort = () => own.abort()
  let overdue: OverdueFailure | null = null
  const timer = setTimeout(() => {
    overdue = new OverdueFailure()
    own.abort()
  }, options.timeouts?.totalMs ?? defaultTimeouts.totalMs)
  let last: Ending
  let resent = 0
  let began = false
  const notes: string[] = []
  const report: SendReport = {
    mayResend: async () => {
      const may = await mayResend()
      if (may) resent += 1
      return may
    },
    note: (sentence) => notes.push(sentence),
  }
  try {
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) own.abort()
    const response = await wire.send(request, own.signal, report)
    began = true
    const pieces = openPieces(response, wire.read(turn), turn, {
      ...defaultTimeouts,
      ...options.timeouts,
    })
    try {
      for (;;) {
        const deltas = await pieces.next()
        for (const delta of deltas) yield delta
        if (turn.closed) break
      }
    } finally {
      pieces.close()
    }
    last = finishTurn(turn)
  } catch (error) {
    // An answer that could not be used ended by that, whatever ended the reading of the rest.
    const cause = turn.failure ?? overdue ?? error
    last = endByError(cause, turn, wire, options, signal)
    if (began && last.type === 'error' && brokeBeforeText(cause, turn)) {
      last = { ...last, failure: { ...last.failure, cause: 'broken-stream' } }
    }
    if (began && last.type === 'error' && wasAnswered(last.failure)) {
      last = { ...last, failure: { ...last.failure, mayBeCharged: true } }
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
  // Deltas that the same piece of the body contained before the failure.
  for (const delta of takeDeltas(turn)) yield delta
  yield { ...last, ...(resent > 0 && { resent }), ...(notes.length > 0 && { notes }) }
}

/**
 * Reads a body piece by piece. `next` resolves with the events of a piece, together, so that an event costs no
 * asynchronous step of its own, and closes the turn at the end.
 */
function openPieces(
  response: Response,
  reader: WireReader,
  turn: Turn,
  { restMs }: ProviderTimeouts,
) {
  const body = responseBytes(response)
  let size = 0
  let written = 0
  let finishedAt: number | null = null
  let refused: { at: number; size: number } | null = null
  let isLeftOpen = false

  const waitMs = (): number => {
    if (refused) return restLeft(refused.at, turn, restMs)
    return finishedAt === null ? Number.POSITIVE_INFINITY : tailLeft(finishedAt, turn)
  }
  const end = (): void => {
    reader.end()
    if (turn.closed) turn.isBroken = false
    if (!turn.closed && !turn.failure && isCutEmpty(response, turn))
      throw endedEarly(headText(turn))
    turn.closed = true
  }
  const take = (piece: Uint8Array): void => {
    if (size === 0) turn.head = piece
    size += piece.length
    if (size > largestBodyBytes) throw tooLarge()
    reader.push(piece)
    if (turn.closed) turn.isBroken = false
  }
  return {
    next: async (): Promise<ModelEvent[]> => {
      if (size === 0) refuseHtml(response)
      if (turn.failure) refused ??= { at: performance.now(), size }
      else if (turn.finishReason !== null) finishedAt ??= performance.now()
      const left = waitMs()
      const isEnough = refused !== null && (left <= 0 || size - refused.size > restBytes)
      const piece = isEnough ? late : await body.next(left)
      isLeftOpen = piece === late
      if (piece === null || piece === late) end()
      else take(piece)
      const deltas = takeDeltas(turn)
      for (const delta of deltas) written += charactersOf(delta)
      if (written > largestAnswerCharacters) turn.failure ??= tooLarge()
      return deltas
    },
    /** Keeps the connection of a finished answer for the next request, after the rest of its body came. */
    close: (): void => {
      if (turn.closed && !isLeftOpen) body.discard(drainMs)
      else body.destroy()
    },
  }
}

/** Returns how long the rest of an answer may still take that finished then. */
function tailLeft(finishedAt: number, { usage }: Turn): number {
  return finishedAt + (usage ? tailMs.counted : tailMs.uncounted) - performance.now()
}

/**
 * Returns how long to wait for more of an answer that was refused then: until its usage came, which an answer that had
 * ended has at once.
 */
function restLeft(refusedAt: number, { failure, usage }: Turn, restMs: number): number {
  const mayGoOn = failure?.category === 'invalid-response' && !(failure instanceof EndFailure)
  const left = refusedAt + (mayGoOn ? restMs : tailMs.uncounted) - performance.now()
  return usage && !usage.estimated ? Math.min(left, tailMs.uncounted) : left
}

function charactersOf(delta: ModelEvent): number {
  if (delta.type === 'text-delta' || delta.type === 'reasoning-delta') return delta.text.length
  return delta.type === 'tool-call-delta' ? delta.argumentsText.length : 0
}

/**
 * Returns whether a stream of events ended before its first event. An empty body of another kind is no answer of this
 * API type.
 */
function isCutEmpty(response: Response, { finishReason, shown }: Turn): boolean {
  return finishReason === null && !shown && /event-?stream|ndjson/i.test(contentTypeOf(response))
}

function endedEarly(received: string): WireFailure {
  return new WireFailure(
    'connection',
    `The provider closed the connection before its answer began. ${tryAgain}`,
    { received },
    null,
    'broken-stream',
  )
}

function refuseHtml(response: Response): void {
  const type = contentTypeOf(response)
  if (!/\bhtml\b/i.test(type)) return
  throw webPage({ contentType: type }, response.status)
}

function tooLarge(): WireFailure {
  return new WireFailure(
    'invalid-response',
    `The provider sent an answer that is too large. Try again. ${checkAddress}`,
    { largestBodyBytes, largestAnswerCharacters },
  )
}

/**
 * Returns how an exception ends the turn. A connection that breaks after the end marker lost nothing; one that breaks
 * after something was shown leaves a cut answer; everything else is a failure.
 */
function endByError(
  error: unknown,
  turn: Turn,
  wire: Wire,
  options: ProviderOptions,
  signal: AbortSignal,
): Ending {
  if (!signal.aborted && lostNothingButTheRest(error, turn)) {
    const ending = tryFinish(turn)
    if (ending) {
      reportIncident(error, wire.name, options)
      return ending
    }
  }
  const failure = classifyFailure(error, wire.name, options, signal.aborted)
  const usage = countedUsage(turn)
  return { type: 'error', failure, ...(usage && { usage }) }
}

/**
 * Returns whether the connection ended or fell silent after the answer began, and people have seen only reasoning of it
 * (SPEC R15).
 */
function brokeBeforeText(error: unknown, { text, calls }: Turn): boolean {
  return isTransportError(error) && text.trim() === '' && calls.length === 0
}

/** Returns whether the model wrote something that is no answer, which its provider counts like any other. */
function wasAnswered({ category, cause }: ProviderFailure): boolean {
  return category === 'invalid-response' && cause !== 'web-page'
}

function lostNothingButTheRest(error: unknown, turn: Turn): boolean {
  if (turn.finishReason !== null) return isTransportError(error)
  return turn.shown && isBrokenConnection(error)
}

function tryFinish(turn: Turn): Ending | null {
  try {
    return finishTurn(turn)
  } catch {
    return null
  }
}

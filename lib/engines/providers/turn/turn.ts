import { checkAddress, checkWire } from '@/lib/engines/providers/failures/connection-advice'
import { EndFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import type { Usage } from '@/lib/protocol/cost/money'
import type {
  FinishReason,
  ModelEvent,
  ModelFinish,
  ReasoningBlock,
} from '@/lib/protocol/model/message'
import { withoutRepeats } from './repeated-calls'

/** A tool call as far as it has arrived; `whole` once the wire said that nothing more comes. */
export type GrowingCall = {
  index: number
  id: string | null
  name: string
  argumentsText: string
  whole: boolean
}

/**
 * A model's answer as far as it has arrived. `finishReason` is null until the wire's closing marker; `closed`
 * means that nothing after this is worth waiting for. `deltas` are the events not yet handed out.
 */
export type Turn = {
  text: string
  reasoning: ReasoningBlock[]
  calls: GrowingCall[]
  finishReason: FinishReason | null
  closed: boolean
  /** False = its provider ended it, with a reason or without. */
  isBroken: boolean
  usage: Usage | null
  /** Why the answer cannot be used. What follows is read for its usage alone. */
  failure: WireFailure | null
  shown: boolean
  deltas: ModelEvent[]
  /** The first piece of the body, for the log when nothing of it could be read. */
  head: Uint8Array
  /** Returns the answer as the API type wrote it (SPEC R15c); null: the portable form holds all of it. */
  native: ((finish: ModelFinish) => string | null) | null
  /** Results match the calls of that answer by their order. */
  nativeInOrder: boolean
}

/** Asking for more than this at once is a fault, not a wish; the runtime's own limit is far lower (SPEC R6). */
const mostCalls = 256

const nothing = new Uint8Array(0)
const headBytes = 2_000

/** Returns the beginning of the body as text. */
export function headText({ head }: Turn): string {
  return Buffer.from(head.subarray(0, headBytes)).toString('utf8')
}

export function newTurn(): Turn {
  return {
    text: '',
    reasoning: [],
    calls: [],
    finishReason: null,
    closed: false,
    isBroken: true,
    usage: null,
    failure: null,
    shown: false,
    deltas: [],
    head: nothing,
    native: null,
    nativeInOrder: false,
  }
}

/**
 * Reads one event of an answer. After an event that makes the answer unusable, events are only counted: a provider
 * charges what it wrote, whether or not it can be used.
 */
export function readOrCount(turn: Turn, read: () => void, count: () => void): void {
  if (turn.failure === null) {
    try {
      read()
      return
    } catch (error) {
      if (!(error instanceof WireFailure)) throw error
      turn.failure = error
    }
  }
  count()
}

/** Adds text. Fragments that arrived in one piece of the body become one delta. */
export function addText(turn: Turn, text: string): void {
  if (text === '') return
  turn.text += text
  turn.shown = true
  const last = turn.deltas.at(-1)
  if (last?.type === 'text-delta') last.text += text
  else turn.deltas.push({ type: 'text-delta', text })
}

export function addReasoning(turn: Turn, block: ReasoningBlock, text: string): void {
  if (text === '') return
  block.text += text
  turn.shown = true
  const last = turn.deltas.at(-1)
  if (last?.type === 'reasoning-delta') last.text += text
  else turn.deltas.push({ type: 'reasoning-delta', text })
}

export function addCall(turn: Turn, id: string | null, name: string): GrowingCall {
  if (turn.calls.length >= mostCalls) {
    throw new WireFailure(
      'invalid-response',
      'The provider sent too many tool calls. Try again, or pick another model.',
      { calls: turn.calls.length },
    )
  }
  const call = { index: turn.calls.length, id, name, argumentsText: '', whole: false }
  turn.calls.push(call)
  addArguments(turn, call, '')
  return call
}

export function addArguments(turn: Turn, call: GrowingCall, fragment: string): void {
  call.argumentsText += fragment
  turn.shown = true
  const last = turn.deltas.at(-1)
  if (last?.type === 'tool-call-delta' && last.index === call.index) {
    last.argumentsText += fragment
    last.name = call.name
  } else {
    turn.deltas.push({
      type: 'tool-call-delta',
      index: call.index,
      name: call.name,
      argumentsText: fragment,
    })
  }
}

/**
 * Notes how the answer ended. Where a provider says two things, an answer that was not whole once stays so (SPEC R10).
 */
export function endTurn(turn: Turn, reason: FinishReason): void {
  if (turn.finishReason === null || isWhole(turn.finishReason)) turn.finishReason = reason
}

function isWhole(reason: FinishReason): boolean {
  return reason === 'stop' || reason === 'tool-calls'
}

export function takeDeltas(turn: Turn): ModelEvent[] {
  if (turn.deltas.length === 0) return turn.deltas
  const deltas = turn.deltas
  turn.deltas = []
  return deltas
}

/**
 * Returns the whole turn as one event. It has calls only when the answer ended by itself: after `length`,
 * `content-filter` or a cut any call may be incomplete (SPEC R10). Throws `WireFailure` when the answer could not be used,
 * when nothing arrived, when a finished answer is empty, or when a call is unusable.
 */
export function finishTurn(turn: Turn): ModelFinish {
  if (turn.failure) throw turn.failure
  if (turn.finishReason === null && !turn.shown) throw nothingCame(headText(turn))
  const finishReason = turn.finishReason ?? 'cut'
  const complete = isWhole(finishReason)
  turn.calls = withoutRepeats(turn.calls, (call) => call)
  const calls = complete ? turn.calls : []
  for (const call of calls) {
    if (call.name === '' || !call.whole) throw unusableCall(call)
  }
  if (complete && calls.length === 0 && turn.text.trim() === '') throw emptyAnswer(turn)
  const finish: ModelFinish = {
    type: 'finish',
    finishReason: complete ? (calls.length > 0 ? 'tool-calls' : 'stop') : finishReason,
    text: turn.text,
    // A server that names a field of its own may want it back beside calls, also empty.
    reasoning: turn.reasoning.filter(
      ({ text, redacted, signature }) =>
        text !== '' || redacted || (signature !== null && calls.length > 0),
    ),
    toolCalls: calls.map(({ id, name, argumentsText }) => ({
      id,
      name,
      argumentsText: argumentsText.trim() === '' ? '{}' : argumentsText,
    })),
    usage: countedUsage(turn),
    ...(turn.finishReason === null && !turn.isBroken && { isUnexplained: true }),
  }
  const native = complete ? (turn.native?.(finish) ?? null) : null
  if (native === null) return finish
  return { ...finish, native, ...(turn.nativeInOrder && { nativeInOrder: true }) }
}

/**
 * Returns the provider's usage; null = none. An answer that was cut has at least one output token per four characters.
 */
export function countedUsage(turn: Turn): Usage | null {
  const { usage } = turn
  if (!usage?.estimated) return usage
  const thought = turn.reasoning.reduce((sum, block) => sum + block.text.length, 0)
  const called = turn.calls.reduce((sum, call) => sum + call.argumentsText.length, 0)
  const written = Math.ceil((turn.text.length + thought + called) / 4)
  return { ...usage, outputTokens: Math.max(usage.outputTokens, written) }
}

export function webPage(detail: object, status: number): WireFailure {
  return new WireFailure(
    'invalid-response',
    `The address answers with a web page instead of this API type. ${checkAddress}`,
    detail,
    status,
    'web-page',
  )
}

function nothingCame(received: string): WireFailure {
  // Not every server says that what it sends is HTML.
  if (/^\s*<(?:!doctype html|html)\b/i.test(received)) return webPage({ received }, 200)
  return new WireFailure('invalid-response', `The provider sent an empty answer. ${checkWire}`, {
    received,
  })
}

function emptyAnswer({ reasoning, head }: Turn): WireFailure {
  const thought = reasoning.some((block) => block.text !== '' || block.redacted)
  const what = thought ? 'thought, but then answered nothing' : 'ended its answer without a word'
  return new WireFailure(
    'invalid-response',
    `The model ${what}. Try again, or pick another model.`,
    { received: head },
  )
}

/** Ends an answer whose reason has no known meaning (SPEC R10). The reason itself goes only to the log. */
export function unknownEnd(reason: string): WireFailure {
  return new EndFailure(
    'invalid-response',
    'The provider ended its answer for a reason that Toolgate does not know, so the answer does not count as complete. Try again, or pick another model.',
    { reason },
  )
}

function unusableCall(call: GrowingCall): WireFailure {
  return new WireFailure(
    'invalid-response',
    'The provider sent a tool call without its name or without its end. Try again, or pick another model.',
    { call },
  )
}

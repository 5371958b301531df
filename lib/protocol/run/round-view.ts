import type { ApprovalDecision } from '@/lib/protocol/approval'
import type { Usage } from '@/lib/protocol/cost/money'
import type { Preview, Seen, WriteCheck } from '@/lib/protocol/look'
import type {
  AskedInText,
  FinishReason,
  ReasoningBlock,
  ToolCall,
} from '@/lib/protocol/model/message'
import type { Effect, Outcome, Verdict } from '@/lib/protocol/tool'
import { type AnswerPlace, endOf, type RunDelta, textIn, unknownPart } from './run-delta'
import type { CopiedRounds, EndReason, RunEventOf } from './run-event'

export type CallState =
  | { type: 'pending' }
  | {
      type: 'running'
      startedAt: number
      attempt: number
      effect: Effect
      before?: Seen | undefined
      /** Its text so far; left out: nothing was shown. */
      output?: (AnswerPlace & { text: string }) | undefined
    }
  | {
      type: 'ended'
      endedAt: number
      durationMs: number
      verdict: Verdict
      outcome: Outcome
      check?: WriteCheck | undefined
    }

/** A call that needs approval; `decision` null = it still waits. Times are ms since 1970. */
export type ApprovalView = {
  approvalId: string
  ruleId: string | null
  ruleName: string
  /** An approval covers other calls of the tool in this run that match the rule. */
  once: boolean
  /** The rule because of which whoever started the run may not decide; null = there was none. */
  fourEyesRule: string | null
  argumentsHash: string
  requestedAt: number
  expiresAt: number
  preview?: Preview | undefined
  decision: (ApprovalDecision & { at: number }) | null
}

export type EditOfCall = Pick<CopiedRounds['edits'][number], 'what' | 'by'>

/** One call of a round, in the order the model asked. `approval` null = none was asked for. */
export type CallView = ToolCall & {
  round: number
  state: CallState
  approval: ApprovalView | null
  /** The run that it started; absent = none. */
  childRunId?: string
  /** Changes that people made before the run went on from it; absent: none. */
  edits?: EditOfCall[]
  /** It stands in a copied round and runs here, with edited arguments; absent: it does not. */
  runsAnew?: true
}

/** Arguments of a call still arriving; replaced by `calls` when the round's message is there. */
export type DraftCall = { index: number; name: string; argumentsText: string }

export type RoundNote =
  | { type: 'retry'; at: number; data: RunEventOf<'model-retry'>['data'] }
  | { type: 'fallback'; at: number; data: RunEventOf<'model-fallback'>['data'] }
  | { type: 'key-change'; at: number; data: RunEventOf<'key-change'>['data'] }
  | { type: 'lost'; at: number; data: RunEventOf<'request-lost'>['data'] }
  | { type: 'warning'; at: number; data: RunEventOf<'warning'>['data'] }

export type RoundResponse = {
  finishReason: FinishReason
  usage: Usage
  costMicroUsd: number | null
  latencyMs: number
  firstTokenMs: number | null
  target: number
}

/**
 * A request that is under way, or was when its process died: what budgets hold for it, null = nothing, and which try of
 * it was sent last, the first is 1.
 */
type AskedRequest = { reservationId: string | null; attempt: number }

/** `response` null = the model is still answering (or was when its process died). */
export type RoundView = {
  round: number
  closing: boolean
  target: number
  offered: string[]
  contextTokens: number
  /** The most that its request can use; absent when no budget counts it. */
  worst?: { inputTokens: number; outputTokens: number } | undefined
  startedAt: number
  /** When its request was last about to be sent; that of the first try is `startedAt`. */
  askedAt: number
  /** null = no request is under way. */
  requested: AskedRequest | null
  /** Length of its answer in `text`, `reasoningText` and `drafts` so far; null: no answer streams. */
  streamed: AnswerPlace | null
  text: string
  reasoningText: string
  reasoning: ReasoningBlock[]
  drafts: DraftCall[]
  calls: CallView[]
  /** The tool call in the text of the answer; null: the provider's own tool calling was used, or there is no call. */
  inText: AskedInText | null
  /** Errors of a final answer that must fit a JSON Schema; null: no such answer. */
  outputErrors: string[] | null
  notes: RoundNote[]
  response: RoundResponse | null
  /** The run that asked it, when this one goes on from it; absent: this one did. */
  copiedFrom?: string
  /** The people who edited its answer since; absent: nobody did. */
  editedBy?: string[]
}

type HasRounds = { rounds: RoundView[] }
type CallPlace = { round: number; callId: string }

/** Returns "Arguments edited by kim@example.org, result edited by ada@example.org"; "" = nobody edited it. */
export function editedWords(edits: readonly EditOfCall[] = []): string {
  const words = edits.map(({ what, by }) => `${what} edited by ${by}`).join(', ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

export function changeCallState<S extends HasRounds>(state: S, place: CallPlace, to: CallState): S {
  return changeCall(state, place, (call) => ({ ...call, state: to }))
}

export function changeCall<S extends HasRounds>(
  state: S,
  { round, callId }: CallPlace,
  change: (call: CallView) => CallView,
): S {
  return changeRound(state, round, (r) => ({
    ...r,
    calls: r.calls.map((call) => (call.callId === callId ? change(call) : call)),
  }))
}

/** Returns the state with a changed round. Rounds are few and the newest changes most: it looks from the end. */
export function changeRound<S extends HasRounds>(
  state: S,
  round: number,
  change: (r: RoundView) => RoundView,
): S {
  const index = state.rounds.findLastIndex((r) => r.round === round)
  const found = state.rounds[index]
  if (!found) return state
  return { ...state, rounds: state.rounds.with(index, change(found)) }
}

/** Returns a round whose request is about to be sent. */
export function freshRound(
  { data, seq, at }: RunEventOf<'round-start'> & { seq: number; at: number },
  notes: RoundNote[],
): RoundView {
  const { round, closing, target, offered, contextTokens, worst } = data
  const { reservationId = null, attempt = 1 } = data
  return {
    round,
    closing,
    target,
    offered,
    contextTokens,
    worst,
    startedAt: at,
    askedAt: at,
    requested: { reservationId, attempt },
    streamed: { start: seq, length: 0 },
    text: '',
    reasoningText: '',
    reasoning: [],
    drafts: [],
    calls: [],
    inText: null,
    outputErrors: null,
    notes,
    response: null,
  }
}

/**
 * Returns the round for another try, which has its own amounts in budgets. In old journals all tries had those of the
 * first.
 */
export function askedAgain(
  { requested }: RoundView,
  retry: RunEventOf<'request-start'>['data'],
): RoundView['requested'] {
  const { attempt, reservationId = requested?.reservationId ?? null } = retry
  return { attempt, reservationId }
}

/** Returns the round with its whole answer in place of what was shown of it. */
export function answeredRound(r: RoundView, data: RunEventOf<'message'>['data']): RoundView {
  const { round, text, reasoning, toolCalls, inText = null, outputErrors = null } = data
  const { finishReason, usage, costMicroUsd, latencyMs, firstTokenMs, target } = data
  return {
    ...r,
    text,
    reasoning,
    reasoningText: reasoning.map((block) => block.text).join('\n'),
    requested: null,
    streamed: null,
    drafts: [],
    inText,
    outputErrors,
    calls: toolCalls.map((call) => ({
      ...call,
      round,
      state: { type: 'pending' },
      approval: null,
    })),
    response: { finishReason, usage, costMicroUsd, latencyMs, firstTokenMs, target },
  }
}

/** A request without an answer leaves no text in the round. */
export const unshown = { requested: null, streamed: null, text: '', reasoningText: '', drafts: [] }

/**
 * Returns the state with a piece of the answer that streams, which counts once, however often it comes (SPEC J2). One of
 * an earlier request changes nothing.
 */
export function showDelta<S extends HasRounds>(state: S, delta: RunDelta): S {
  if (delta.type === 'output-delta') return showOutput(state, delta)
  const open = state.rounds.at(-1)
  if (!open?.streamed || open.round !== delta.data.round) return state
  const part = unknownPart(delta, open.streamed)
  if (!part) return state
  const streamed = { start: part.start, length: endOf(part) }
  return changeRound(state, open.round, (r) => ({ ...r, streamed, ...shownWith(r, part) }))
}

/** Adds to what a running call wrote. Whoever comes in the middle gets it from its beginning. */
function showOutput<S extends HasRounds>(state: S, delta: RunDelta & { type: 'output-delta' }): S {
  const { round, callId } = delta.data
  const call = state.rounds.at(-1)?.calls.find((each) => each.callId === callId)
  if (call?.state.type !== 'running') return state
  const before = call.state.output ?? { start: delta.start, length: 0, text: '' }
  const part = unknownPart(delta, before)
  if (!part) return state
  const text = before.text + textIn(part)
  const output = { start: part.start, length: endOf(part), text }
  return changeCallState(state, { round, callId }, { ...call.state, output })
}

function shownWith(r: RoundView, { type, data }: RunDelta): Partial<RoundView> {
  switch (type) {
    case 'text-delta':
      return { text: r.text + data.text }
    case 'reasoning-delta':
      return { reasoningText: r.reasoningText + data.text }
    case 'call-delta':
      return { drafts: growDraft(r.drafts, data) }
    case 'output-delta':
      return {}
    default:
      return type satisfies never
  }
}

function growDraft(drafts: DraftCall[], piece: DraftCall): DraftCall[] {
  const known = drafts.find((draft) => draft.index === piece.index)
  const grown = {
    index: piece.index,
    name: known?.name || piece.name,
    argumentsText: (known?.argumentsText ?? '') + piece.argumentsText,
  }
  return known ? drafts.map((draft) => (draft === known ? grown : draft)) : [...drafts, grown]
}

/** Ends that refuse a run: with no model request made, the run was not started. */
const refusing: ReadonlySet<EndReason> = new Set([
  'budget',
  'no-price',
  'cost-cap',
  'frozen',
  'revoked',
  'context',
])

/** Returns whether a run with this end was refused before the first of `rounds` rounds. */
export function isNotStarted(reason: EndReason, rounds: number): boolean {
  return rounds === 0 && refusing.has(reason)
}

/** Returns whether any round was answered. Otherwise there is no answer that could be cut. */
export function hasAnswer(rounds: readonly RoundView[]): boolean {
  return rounds.some(({ response }) => response !== null)
}

/** Returns whether a person must still decide about this call. */
export function isUndecided(call: CallView): boolean {
  return call.state.type !== 'ended' && call.approval !== null && call.approval.decision === null
}

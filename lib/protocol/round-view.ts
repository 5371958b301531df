import type { ApprovalDecision } from './approval-decision'
import type { AskedInText } from './asked-in-text'
import type { ReasoningBlock, ToolCall } from './message'
import type { FinishReason } from './model-event'
import type { Outcome, Verdict } from './outcome'
import type { RunEventOf } from './run-event'
import type { Effect } from './tool'
import type { Usage } from './usage'

export type CallState =
  | { type: 'pending' }
  | { type: 'running'; startedAt: number; attempt: number; effect: Effect }
  | { type: 'ended'; endedAt: number; durationMs: number; verdict: Verdict; outcome: Outcome }

/** A call that needs a person's word; `decision` null = nobody gave it yet. Times are ms since 1970. */
export type ApprovalView = {
  approvalId: string
  ruleName: string
  argumentsHash: string
  requestedAt: number
  expiresAt: number
  decision: (ApprovalDecision & { at: number }) | null
}

/** One call of a round, in the order the model asked. `approval` null = none was asked for. */
export type CallView = ToolCall & {
  round: number
  state: CallState
  approval: ApprovalView | null
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
 * A request that is under way, or was when its process died: what budgets hold for it, null = nothing, and which try of it
 * was sent last, the first is 1.
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
  /** null = no request is under way. */
  asked: AskedRequest | null
  text: string
  reasoningText: string
  reasoning: ReasoningBlock[]
  drafts: DraftCall[]
  calls: CallView[]
  /** How the call was asked for, when it was in text; null = by the provider's own tool calling, or there is none. */
  inText: AskedInText | null
  /** What is wrong with a final answer that is to fit a JSON Schema; null = it has none to fit, or is none. */
  outputErrors: string[] | null
  notes: RoundNote[]
  response: RoundResponse | null
}

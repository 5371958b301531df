import type { DraftCall, RoundNote, RoundView } from './round-view'
import type { RunEventOf } from './run-event'

/** A round whose request is about to be sent. */
export function freshRound(
  data: RunEventOf<'round-start'>['data'],
  at: number,
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
    asked: { reservationId, attempt },
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

/** Each try has its own amounts in budgets; in journals from before they all had those of the first. */
export function askedAgain(
  { asked }: RoundView,
  again: RunEventOf<'request-start'>['data'],
): RoundView['asked'] {
  const { attempt, reservationId = asked?.reservationId ?? null } = again
  return { attempt, reservationId }
}

/** The round with its whole answer in the place of what was shown of it. */
export function answeredRound(r: RoundView, data: RunEventOf<'message'>['data']): RoundView {
  const { round, text, reasoning, toolCalls, inText = null, outputErrors = null } = data
  const { finishReason, usage, costMicroUsd, latencyMs, firstTokenMs, target } = data
  return {
    ...r,
    text,
    reasoning,
    reasoningText: reasoning.map((block) => block.text).join('\n'),
    asked: null,
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

export function growDraft(
  drafts: DraftCall[],
  delta: RunEventOf<'call-delta'>['data'],
): DraftCall[] {
  const known = drafts.find((draft) => draft.index === delta.index)
  const grown = {
    index: delta.index,
    name: known?.name || delta.name,
    argumentsText: (known?.argumentsText ?? '') + delta.argumentsText,
  }
  return known ? drafts.map((draft) => (draft === known ? grown : draft)) : [...drafts, grown]
}

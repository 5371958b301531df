import type { ApprovalDecision } from '@/lib/protocol/approval-decision'
import type { CostCapChoice } from '@/lib/protocol/cost-cap-choices'
import type { MayResend, ModelEvent, ModelRequest } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { Verdict } from '@/lib/protocol/outcome'
import type { CallView } from '@/lib/protocol/round-view'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run-event'
import type { RunFile } from '@/lib/protocol/run-file'
import type { ExecutableTool } from '@/lib/protocol/tool'
import type { Subject } from './policy/subject'

/** The journal has another writer now, or its storage is gone: the step stops at once and writes nothing more. */
export class JournalLostError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JournalLostError'
  }
}

/** This process gave the run away before its next event; whoever takes it folds the journal and goes on. */
export class HandoverError extends Error {
  constructor() {
    super('The run was handed over.')
    this.name = 'HandoverError'
  }
}

/**
 * Where a run's events go. One writer at a time: `append` gives the event its place at once and queues it;
 * `flush` resolves when everything appended so far is as safe as this journal makes it. A journal that lost its
 * place to another writer, or its storage, rejects with `JournalLostError`; the run then stops where it is.
 */
export type Journal = {
  /** `native` is kept beside a message, never in it: the answer as its provider wrote it (SPEC R15c). */
  append: (body: RunEventBody, native?: string) => RunEvent
  /** What is kept beside the message of this round; null = nothing is. */
  nativeOf: (round: number) => string | null
  flush: () => Promise<void>
  /**
   * Asks `decide` with a subject read at this moment and, when it says yes, makes `start` durable in the same
   * transaction (SPEC G-F, G-R). Everything appended before is made durable first. `event` is null when denied. Any
   * rejection but `JournalLostError` means that the state could not be read and nothing was written.
   */
  begin: (
    start: RunEventOf<StartType>,
    decide: (subject: Subject) => Verdict,
  ) => Promise<{ verdict: Verdict; event: RunEvent | null }>
  /** Keeps the whole result (UTF-8, at most 5 MiB) readable beside the journal. */
  saveResult: (callId: string, content: string) => Promise<void>
  /** Keeps images that a call returned, each under its id, as long as the run is there. */
  saveImages: (images: readonly SavedImage[]) => Promise<void>
}

export type SavedImage = { file: RunFile; content: Uint8Array<ArrayBuffer> }

/** Events that say what is about to happen outside: nothing is sent or executed before one of them is durable. */
export type StartType = 'round-start' | 'request-start' | 'call-start'

/** What was said about a call that waits, by the id of its approval. */
export type GivenDecision = { approvalId: string; decision: ApprovalDecision }

/** The most tokens that one provider call can use. */
export type WorstCase = { inputTokens: number; outputTokens: number }

/** One provider call that is about to be made. Its worst case is counted only where a budget asks for it. */
export type PlannedCall = { target: ModelTarget; worst: () => Promise<WorstCase> }

/**
 * Whether a call may be made. `reservationId` goes into its message; null = no budget counts it. `warning` says which
 * budgets let it pass uncounted. `stopped` = the signal aborted meanwhile, and nothing is held.
 */
export type Reservation =
  | { type: 'held'; reservationId: string | null; warning: string | null }
  | { type: 'refused'; reason: string }
  | { type: 'stopped' }

/** Everything the loop needs from outside. No database, no clock, no network of its own. */
export type RunDeps = {
  runId: string
  tools: ReadonlyMap<string, ExecutableTool>
  journal: Journal
  /** A fresh subject for the offer. Rejects when the state cannot be read: nothing is offered then. */
  loadSubject: () => Promise<Subject>
  streamModel: (
    target: ModelTarget,
    request: ModelRequest,
    signal: AbortSignal,
    mayResend: MayResend,
  ) => AsyncIterable<ModelEvent>
  /**
   * Holds the worst case of a provider call in every budget that applies, before it is made (SPEC M2, R5). May wait for
   * calls in flight to give back what they did not need, until `signal` aborts.
   */
  reserve: (call: PlannedCall, signal: AbortSignal) => Promise<Reservation>
  /** Holds one more request of a call that was reserved, before its adapter makes it again by itself. Waits likewise. */
  reserveResend: (
    call: { reservationId: string; target: ModelTarget },
    signal: AbortSignal,
  ) => Promise<Reservation>
  /** A call that was reserved brought no message: what was held for it is free again. Others settle with their message. */
  release: (reservationId: string) => Promise<void>
  /** What somebody chose about this run's cost cap, and what an admin chose last; null = nobody did (SPEC M4). */
  readCostCapChoice: () => Promise<{
    choice: CostCapChoice
    by: string
    byAdmin?: CostCapChoice | null
  } | null>
  /** Aborts the run (Stop, shutdown). `signal.reason` is a `StopReason`. */
  signal: AbortSignal
  /**
   * Gives a signal per call, aborted when the tool is switched off while it runs; `signal.reason` is a sentence
   * for people. Called before the call begins, so that no switch falls between the two.
   */
  watchTool: (toolName: string, callId: string) => { signal: AbortSignal; release: () => void }
  /**
   * What people said so far about calls that wait (SPEC G-A); those that are missing are not answered yet. Answers to
   * other calls are ignored.
   */
  readDecisions: (
    waiting: readonly CallView[],
    signal: AbortSignal,
  ) => Promise<readonly GivenDecision[]>
  /** Writes detail that must not leave the server to its log, under an incident id. */
  reportIncident: (incidentId: string, detail: unknown) => void
  now: () => number
  /** Resolves after `ms`, and at once when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
  newId: () => string
}

/**
 * Why `deps.signal` was aborted: `cancelled`, `frozen` (the whole site) and `revoked` (a right it needs was taken away;
 * `reason` is a sentence) end the run, `handover` leaves it for another process to go on.
 */
export type StopReason =
  | { type: 'cancelled' | 'frozen'; by: string; reason: string }
  | { type: 'revoked'; reason: string }
  | { type: 'handover' }

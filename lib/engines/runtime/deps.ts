import type { ApprovalDecision } from '@/lib/protocol/approval'
import type { CheckOfRun, JudgedRun } from '@/lib/protocol/check/check'
import type { CapDecision, CostBefore } from '@/lib/protocol/cost/money'
import type { PromptMemory } from '@/lib/protocol/memory'
import type { MayResend, ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { Fence } from '@/lib/protocol/model/model-text'
import { offeredTool } from '@/lib/protocol/offered-tool'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { Fork } from '@/lib/protocol/run/fork'
import type { OverrideName } from '@/lib/protocol/run/override-names'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { RunPiece } from '@/lib/protocol/run/run-delta'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { Actor, Denial, ExecutableTool, RunFile, ToolMeta, Verdict } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { decideTool } from './policy/decide-tool'
import type { Subject } from './policy/subject'

/**
 * The journal has another writer now, or its storage is unavailable: the step stops at once and writes nothing more.
 */
export class JournalLostError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JournalLostError'
  }
}

/** Resolves as `reading` does. Without what it reads, a run cannot decide what to do: it waits where it is. */
export async function orJournalLost<T>(reading: Promise<T>, what: string): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw new JournalLostError(`${what} cannot be read: ${String(error)}`, { cause: error })
  }
}

/** This process handed the run over before its next event; the next owner folds the journal and continues. */
export class HandoverError extends Error {
  constructor() {
    super('The run was handed over.')
    this.name = 'HandoverError'
  }
}

/**
 * Storage for the events of a run, with one writer at a time. `append` assigns the `seq` at once and queues the event;
 * `flush` resolves when everything appended so far is durable. When another writer took over, or the storage is
 * unavailable, it rejects with `JournalLostError`; the run then stops where it is.
 */
export type Journal = {
  /** `native` is kept beside a message, never in it: the answer as its provider wrote it (SPEC R15c). */
  append: (body: RunEventBody, native?: string) => RunEvent
  /** Shows a piece of the answer that the open round streams. It is stored nowhere (SPEC J2). */
  show: (piece: RunPiece) => void
  /** Returns the native answer of this round; null = none is stored. */
  nativeOf: (round: number) => string | null
  flush: () => Promise<void>
  /**
   * Calls `decide` with a subject read now and, when it allows, makes `start` durable in the same transaction (SPEC
   * G-F, G-R), after everything appended before. `event` is null when denied. Any rejection but `JournalLostError`
   * means that the state could not be read and nothing was written.
   */
  begin: (
    start: RunEventOf<StartType>,
    decide: (subject: Subject) => Verdict,
  ) => Promise<{ verdict: Verdict; event: RunEvent | null }>
  /** Stores the whole result (UTF-8, at most 5 MiB) beside the journal. */
  saveResult: (callId: string, content: string) => Promise<void>
  /** Stores images that a call returned, each under its id, as long as the run exists. */
  saveImages: (images: readonly SavedImage[]) => Promise<void>
}

export type SavedImage = { file: RunFile; content: Uint8Array<ArrayBuffer> }

/** Events before an external effect: nothing is sent or executed before one of them is durable. */
export type StartType = 'round-start' | 'request-start' | 'call-start'

/** The decision on a call that waits, with the id of its approval. */
export type GivenDecision = { approvalId: string; decision: ApprovalDecision }

/** The most tokens that one provider call can use. */
export type WorstCase = { inputTokens: number; outputTokens: number }

/** Shown part of an answer, in estimated tokens. `start`: number of the event that began its request. */
export type ShownAnswer = { start: number; tokens: number }

/** One model request before it is sent. Its worst case is computed only when a budget needs it. */
export type PlannedCall = { target: ModelTarget; worst: () => Promise<WorstCase> }

/**
 * Permission to send a request. `reservationId` goes into its message; null: no budget counts it. `warning` names the
 * budgets that do not count it. `stopped`: the signal was aborted meanwhile, and nothing is reserved.
 */
export type Reservation =
  | { type: 'held'; reservationId: string | null; warning: string | null }
  | { type: 'refused'; reason: string; hasNoPrice?: boolean }
  | { type: 'stopped' }

/** A turn before the run in its conversation (SPEC C1): a run that ended, with its native answers. */
export type EarlierTurn = { state: RunState; nativeOf: Journal['nativeOf'] }

/** Everything the loop needs from outside. It has no database, clock or network of its own. */
export type RunDeps = {
  runId: string
  tools: ReadonlyMap<string, ExecutableTool>
  journal: Journal
  /** The turns before, the oldest first, when the run continues a conversation (SPEC C1); left out = it does not. */
  earlier?: readonly EarlierTurn[] | undefined
  /** Part of an unfinished request that a former process had shown. */
  shown?: ShownAnswer | undefined
  /** Reads a subject for the offer. Rejects when the state cannot be read: nothing is asked then. */
  loadSubject: () => Promise<Subject>
  streamModel: (
    target: ModelTarget,
    request: ModelRequest,
    signal: AbortSignal,
    mayResend: MayResend,
  ) => AsyncIterable<ModelEvent>
  /**
   * Reserves the worst case of a model request in every budget that applies, before it is sent (SPEC M2, R5). May wait
   * until requests in flight release what they did not need, or `signal` aborts.
   */
  reserve: (call: PlannedCall, signal: AbortSignal) => Promise<Reservation>
  /** Reserves one more request of a call, before its adapter repeats it. Waits likewise. */
  reserveResend: (
    call: { reservationId: string; target: ModelTarget },
    signal: AbortSignal,
  ) => Promise<Reservation>
  /** Releases the reservation of a request without a message. Others settle with their message. */
  release: (reservationId: string) => Promise<void>
  /** Reads the current choice for this run's cost caps, and the last choice of an admin; null = none (SPEC M4). */
  readCostCapChoice: () => Promise<CapDecision | null>
  /** Reads it for the cap of its panel (SPEC Q3). Left out = the run is in no panel. */
  readPanelCapChoice?: (() => Promise<CapDecision | null>) | undefined
  /** Reads what the other members of its panel have cost so far, micro-USD; null = unknown. Left out = the run is in no panel. */
  readPanelCost?: (() => Promise<number | null>) | undefined
  /** Reads what the runs have cost so far that its calls started, micro-USD; null = unknown. */
  readChildCost?: (() => Promise<number | null>) | undefined
  /** Aborts the run (Stop, shutdown). `signal.reason` is a `StopReason`. */
  signal: AbortSignal
  /**
   * Returns a signal for a call, aborted when the tool is switched off while it runs; `signal.reason` is a sentence for
   * people. Called before the call starts, so that no switch is missed in between.
   */
  watchTool: (toolName: string, callId: string) => { signal: AbortSignal; release: () => void }
  /**
   * Returns the decisions so far on calls that wait (SPEC G-A); missing ones are pending. Decisions on other calls are
   * ignored.
   */
  readDecisions: (
    waiting: readonly CallView[],
    signal: AbortSignal,
  ) => Promise<readonly GivenDecision[]>
  /** Writes details that must not leave the server to its log, under an incident id. */
  reportIncident: (incidentId: string, detail: unknown) => void
  now: () => number
  /** Calls `run` after `ms`, unless what it returns is called before. */
  after: (ms: number, run: () => void) => () => void
  random: () => number
  newId: () => string
}

/**
 * Why `deps.signal` was aborted: `cancelled`, `frozen` (the whole site) and `revoked` (a right was taken away; `reason`
 * is a sentence) end the run; `handover` leaves it for another process.
 */
export type StopReason =
  | { type: 'cancelled' | 'frozen'; by: string; reason: string }
  | { type: 'revoked' | 'went-back'; reason: string }
  | { type: 'handover' }

/** Writes details to the server log and returns the incident id. A failure of the log never fails a run. */
export function reportIncident(deps: RunDeps, detail: unknown): string {
  const incidentId = deps.newId()
  try {
    deps.reportIncident(incidentId, detail)
  } catch {
    // There is no other place to report it.
  }
  return incidentId
}

/** The place of a run in its panel. `reads`: what the roles before it read that others can write. `capDecision`: the choice so far about the panel's cost cap. */
type PlaceInPanel = {
  panelId: string
  place: number
  role?: PanelRole | undefined
  reads?: string[] | undefined
  capDecision?: CapDecision | null | undefined
}

/**
 * The request of a run and the person who made it. `turnBefore`: the run that it continues, the first event of that run, and what the
 * conversation cost.
 */
export type RunInput = {
  prompt: string
  turnBefore?:
    | { runId: string; start: RunEventOf<'run-start'>['data']; cost: CostBefore }
    | undefined
  panel?: PlaceInPanel | undefined
  parent?: RunEventOf<'run-start'>['data']['parent']
  files?: RunFile[]
  memory?: PromptMemory | undefined
  actor: Actor
  snapshot: RunSnapshot
  /** Overrides of the configuration, and the run that this one repeats with them (SPEC C1a). */
  overridden?: OverrideName[]
  changedFrom?: string | undefined
  /** The run that it goes on from, and the fence around that run's words. */
  forkOf?: { facts: Fork; fence: Fence } | undefined
  check?: CheckOfRun | undefined
  /** The run that it judges, and the fence that stands around that run's words in the prompt. */
  judgeOf?: { facts: JudgedRun; fence: Fence } | undefined
}

/**
 * Returns the first event of a run: the prompt, the configuration as it is now and the verdict on each requested tool
 * (SPEC G-E).
 */
export function runStart(
  { files = [], overridden = [], ...input }: RunInput,
  { accepted, rejected }: Offer<ToolMeta>,
  newId: () => string,
): RunEventOf<'run-start'> {
  const { turnBefore, panel, parent, changedFrom, memory, forkOf, check, judgeOf, snapshot } = input
  const fence = judgeOf?.fence ?? forkOf?.fence ?? turnBefore?.start
  return {
    type: 'run-start',
    data: {
      prompt: cleanText(input.prompt),
      ...(turnBefore && { continues: turnBefore.runId, costBefore: turnBefore.cost }),
      ...(panel && { panelId: panel.panelId, panelPlace: panel.place }),
      ...(panel?.role && { panelRole: panel.role }),
      ...(panel?.reads && panel.reads.length > 0 && { panelReads: panel.reads }),
      ...(panel?.capDecision && { panelCapDecision: panel.capDecision }),
      ...(parent && { parent }),
      ...(overridden.length > 0 && { overridden }),
      ...(changedFrom && { changedFrom }),
      ...(forkOf && { fork: forkOf.facts }),
      ...(check && { check }),
      ...(judgeOf && { judges: judgeOf.facts }),
      ...(files.length > 0 && { files }),
      ...(memory && { memory }),
      actor: input.actor,
      snapshot: { ...snapshot, systemPrompt: cleanText(snapshot.systemPrompt) },
      accepted: accepted.map(offeredTool),
      rejected,
      // One conversation has one fence: its first message alone says which tags are ours (SPEC T6, R15d).
      ...(fence ? { nonce: fence.nonce, canary: fence.canary } : newFence(newId)),
    },
  }
}

/** Returns a fence for untrusted text that nobody who wrote that text could guess. */
export function newFence(newId: () => string): Fence {
  return { nonce: unguessable(newId), canary: `canary-${unguessable(newId)}` }
}

/** Returns the random part of a UUIDv7, which no author of tool results can guess. */
function unguessable(newId: () => string): string {
  return newId().replaceAll('-', '').slice(-16)
}

export type Offer<T extends ToolMeta> = {
  accepted: T[]
  rejected: ({ name: string } & Pick<Denial, 'gate' | 'reason' | 'part'>)[]
}

/**
 * Returns the verdict on every requested tool: those selected for the run, or all. Both lists are sorted by name (SPEC
 * R2, G-E); a selected name without a tool is rejected by `registered`.
 */
export function planOffer<T extends ToolMeta>(
  tools: ReadonlyMap<string, T>,
  subject: Subject,
): Offer<T> {
  const offer: Offer<T> = { accepted: [], rejected: [] }
  for (const name of subject.selected ?? tools.keys()) {
    const tool = tools.get(name)
    const verdict = decideTool(tool, subject)
    if (!verdict.allowed) {
      const { gate, reason, part } = verdict
      offer.rejected.push({ name, gate, reason, ...(part && { part }) })
    } else if (tool) {
      offer.accepted.push(tool)
    }
  }
  offer.accepted.sort(byName)
  offer.rejected.sort(byName)
  return offer
}

/** Compares by code unit, so that the order is the same on every machine and prompt caches keep their effect. */
function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name)
}

import { setMaxListeners } from 'node:events'
import { addCost, addUsage, emptyUsage } from '@/lib/protocol/cost/cost'
import type { WriteCheck } from '@/lib/protocol/look'
import type { FailedCall } from '@/lib/protocol/model/failed-call'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { foldRun, ownRounds, type RunState } from '@/lib/protocol/run/fold-run'
import {
  type CallView,
  hasAnswer,
  isNotStarted,
  type RoundNote,
} from '@/lib/protocol/run/round-view'
import type { EndReason, RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import type { Denial, Outcome, RunFile, Verdict } from '@/lib/protocol/tool'
import { structuredAnswer } from '@/lib/words/json-text'
import type { Journal, RunDeps, StopReason } from './deps'
import type { Subject } from './policy/subject'
import { conversationReads } from './policy/untrusted-reads'

/** A step in progress. It keeps nothing but the state, so a step that crashes leaves only its events. */
export type RunStep = {
  readonly deps: RunDeps
  /**
   * Returns the state of the run with every event of this step. The deltas of a stream are left out, because the
   * message of its round replaces them.
   */
  readonly state: () => RunState
  /** Appends an event to the journal. `native` is stored beside a message. */
  readonly record: (body: RunEventBody, native?: string) => void
  /** `Journal.begin`; its event counts in the state. */
  readonly begin: Journal['begin']
  /** Aborted when the step must stop; `reason` is a `StepStop`. */
  readonly signal: AbortSignal
  /** Aborts `signal` from inside; the first reason counts. */
  readonly stop: (why: StopReason) => void
  /** Ends the step: aborts its remaining work and drops what that still records. */
  readonly release: () => void
  /** Images that calls of this step returned, by the ids of the calls. */
  readonly images: Map<string, readonly RunFile[]>
}

export function openRunStep(before: RunState, deps: RunDeps): RunStep {
  const { journal } = deps
  const watch = watchStop(before, deps)
  const withReads = (subject: Subject): Subject => ({
    ...subject,
    untrustedReads: conversationReads(step.state(), deps),
  })
  let base = before
  let added: RunEvent[] = []
  let current: RunState | null = before
  let beginning = 0
  let released = false

  const add = (event: RunEvent): void => {
    added.push(event)
    current = null
  }
  const step: RunStep = {
    deps: { ...deps, loadSubject: async () => withReads(await deps.loadSubject()) },
    signal: watch.signal,
    stop: watch.stop,
    images: new Map(),
    state: () => {
      if (current) return current
      current = foldRun(added.length === 1 ? added : added.sort(bySeq), base)
      // Calls run in parallel: one that begins has its number already, and a later event may have come before it.
      if (beginning === 0) {
        base = current
        added = []
      }
      return current
    },
    record: (body, native) => {
      if (!released) add(journal.append(body, native))
    },
    begin: async (start, decide) => {
      beginning++
      try {
        const begun = await journal.begin(start, (subject) => decide(withReads(subject)))
        if (begun.event) add(begun.event)
        // The journal may have given other numbers to later events.
        else current = null
        return begun
      } finally {
        beginning--
      }
    },
    release: () => {
      released = true
      watch.release()
    },
  }
  return step
}

function bySeq(a: RunEvent, b: RunEvent): number {
  return a.seq - b.seq
}

/** Returns the first event of the run. Throws when the journal has none. */
export function startOf(state: RunState): RunEventOf<'run-start'>['data'] {
  if (!state.start) throw new Error('The journal has no run-start event.')
  return state.start
}

/** Returns model number `index` of the run, from 0. Throws when there is none. */
export function targetAt(state: RunState, index: number): ModelTarget {
  const target = startOf(state).snapshot.targets[index]
  if (!target) throw new Error(`The configuration has no model number ${index + 1}.`)
  return target
}

type Warning = Pick<RunEventOf<'warning'>['data'], 'round' | 'code' | 'message'> &
  Partial<RunEventOf<'warning'>['data']>

/** Records a warning, which only people read unless `tellModel` is set. */
export function warn(step: RunStep, warning: Warning): void {
  const data = { tellModel: false, prunedThrough: null, ...warning }
  step.record({ type: 'warning', data })
}

/** Records a warning unless the run has one with these words. */
export function warnOnce(step: RunStep, warning: Warning): void {
  const isSame = ({ type, data }: RoundNote) =>
    type === 'warning' && data.message === warning.message
  if (!step.state().rounds.some(({ notes }) => notes.some(isSame))) warn(step, warning)
}

/** End of a call, the decision of the gates before it, and the target of its tool before and after. */
export type CallEnding = {
  verdict: Verdict
  outcome: Outcome
  check?: WriteCheck | undefined
  /** The ids of the rules that match and only observe. */
  observed?: string[] | undefined
}

/** Records the end of a call that was started or checked at `startedAt`. */
export function recordCallEnd(
  step: RunStep,
  { round, callId, name }: CallView,
  ending: CallEnding,
  startedAt: number,
): void {
  const durationMs = Math.max(0, step.deps.now() - startedAt)
  step.record({ type: 'call-end', data: { round, callId, name, ...ending, durationMs } })
}

/** Returns the end of a call that a gate or a limit refused. */
export function denied({ gate, reason, nearest, told }: Omit<Denial, 'allowed'>): CallEnding {
  const more = { ...(nearest && { nearest }), ...(told && { told }) }
  const outcome = { type: 'denied' as const, gate, reason, ...more }
  return { verdict: { allowed: false, gate, reason }, outcome }
}

/** The verdict on what a step would begin after it was stopped. */
export const stoppedBefore: Denial = {
  allowed: false,
  gate: 'run-ended',
  reason: 'The run was told to stop.',
}

/** Why a step must stop early; `released` = it is over, and its remaining work must stop. */
export type StepStop = StopReason | { type: 'time-limit' } | { type: 'released' }

/** The longest delay of a timer, ms. */
const longestSleepMs = 2 ** 31 - 1

/**
 * Returns one signal for a step: aborted by `deps.signal`, by the step itself or when the time of the run is over (SPEC
 * R8, R9, G-R), with a `StepStop` as reason.
 */
function watchStop(state: RunState, deps: RunDeps): Pick<RunStep, 'signal' | 'stop' | 'release'> {
  const controller = new AbortController()
  // Each call and each pause of a run listens to it for as long as it lasts; that many are no leak.
  setMaxListeners(0, controller.signal)
  const stop = () => controller.abort(stopReason(deps.signal.reason))
  const release = () => {
    deps.signal.removeEventListener('abort', stop)
    cancel?.()
    controller.abort({ type: 'released' } satisfies StepStop)
  }
  if (deps.signal.aborted) stop()
  else deps.signal.addEventListener('abort', stop, { once: true })

  const expire = () => controller.abort({ type: 'time-limit' } satisfies StepStop)
  const leftMs = timeLeftMs(state, deps.now())
  if (leftMs <= 0) expire()
  const cancel = leftMs > 0 ? deps.after(Math.min(leftMs, longestSleepMs), expire) : null
  return { signal: controller.signal, stop: (why) => controller.abort(why), release }
}

/** Returns the time a run has left, ms. Waiting for a place or for a person does not count (SPEC R8, G-A). */
function timeLeftMs(state: RunState, now: number): number {
  const { start, startedAt, waitingSince, waitedMs } = state
  if (!start || startedAt === null || waitingSince !== null) return longestSleepMs
  if (ownRounds(state).length === 0) return start.snapshot.timeLimitMs
  return startedAt + waitedMs + start.snapshot.timeLimitMs - now
}

const stopTypes: ReadonlySet<string> = new Set<StopReason['type']>([
  'cancelled',
  'frozen',
  'revoked',
  'went-back',
  'handover',
])

/** Returns the reason of an abort; one that is not ours means stop, too. */
function stopReason(reason: unknown): StopReason {
  const type = typeof reason === 'object' && reason !== null && 'type' in reason && reason.type
  if (typeof type === 'string' && stopTypes.has(type)) return reason as StopReason
  return { type: 'cancelled', by: 'the server', reason: '' }
}

/**
 * Returns true when another process continues the run: started work stays open here, and parts of it are not recorded.
 */
export function isHandover({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason as StepStop).type === 'handover'
}

export type RunEnding = {
  reason: EndReason
  message: string
  failure?: ProviderFailure
  failedCall?: FailedCall | null
}

/** Reasons after which there is an answer that may be incomplete. */
const truncatedBy: ReadonlySet<EndReason> = new Set([
  'max-rounds',
  'budget',
  'no-price',
  'cost-cap',
  'length',
  'loop',
  'context',
  'time-limit',
])

/** Records `run-end` unless the journal has one, and closes calls that will not run any more (SPEC R16). */
export function endRun(step: RunStep, ending: RunEnding): void {
  const { reason, message, failure, failedCall } = ending
  const used = failedCall?.used
  const state = step.state()
  if (state.end) return
  const notStarted = isNotStarted(reason, ownRounds(state).length)
  const last = state.rounds.at(-1)
  // An answer without issues is valid JSON.
  const fits = last?.response && last.outputErrors?.length === 0
  for (const call of last?.calls ?? []) closeCall(step, call, message)
  step.record({
    type: 'run-end',
    data: {
      reason,
      truncated: truncatedBy.has(reason) && hasAnswer(ownRounds(state)),
      ...(notStarted && { notStarted }),
      message,
      failure: failure ?? null,
      ...(failedCall && { failedCall }),
      ...(fits && { structured: structuredAnswer(last.text) }),
      usage: addUsage(state.usage, used?.usage ?? emptyUsage),
      costMicroUsd: used ? addCost(state.costMicroUsd, used.costMicroUsd) : state.costMicroUsd,
      wallTimeMs: wallTimeMs(state, step.deps.now()),
    },
  })
}

/** Ends a call that will not run. One that was started may have had its effect; one that was not has not. */
function closeCall(step: RunStep, call: CallView, message: string): void {
  const { state } = call
  if (state.type === 'ended') return
  if (state.type === 'running') {
    const reason = 'The run ended while this call was in progress. It may have taken effect.'
    const outcome: Outcome = { type: state.effect === 'read' ? 'cancelled' : 'unknown', reason }
    recordCallEnd(step, call, { verdict: { allowed: true }, outcome }, state.startedAt)
    return
  }
  const reason = `Not run. ${message}`
  const verdict: Verdict = { allowed: false, gate: 'run-ended', reason }
  recordCallEnd(step, call, { verdict, outcome: { type: 'cancelled', reason } }, step.deps.now())
}

function wallTimeMs(state: RunState, now: number): number {
  return state.startedAt === null ? 0 : Math.max(0, now - state.startedAt)
}

import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { RunEvent, RunEventBody, RunEventOf } from '@/lib/protocol/run-event'
import type { RunFile } from '@/lib/protocol/run-file'
import type { RunDeps } from './deps'
import type { StepWatch } from './watch-stop'

/**
 * A step in progress: the state before it and the events it added. Nothing else is kept, so a step that crashes leaves
 * only its events. `closed` is set when the journal was lost: later events of its parallel work are dropped.
 */
export type RunStep = {
  readonly deps: RunDeps
  /** Aborted when the step must stop; `reason` is a `StepStop`. */
  readonly signal: AbortSignal
  /** Aborts `signal`; the first reason counts. */
  readonly stop: StepWatch['stop']
  base: RunState
  added: RunEvent[]
  closed: boolean
  /** Images that calls of this step returned, by the ids of the calls; absent = none did. */
  images?: Map<string, readonly RunFile[]>
}

export function openRunStep(state: RunState, deps: RunDeps, watch: StepWatch): RunStep {
  const { signal, stop } = watch
  return { deps, signal, stop, base: state, added: [], closed: false }
}

/** Appends an event to the journal and to the step. `native` is stored beside a message. */
export function record(step: RunStep, body: RunEventBody, native?: string): void {
  if (step.closed) return
  step.added.push(step.deps.journal.append(body, native))
}

/** Returns the state with the events of this step. Calls run in parallel, so their events may be out of order. */
export function settle(step: RunStep): RunState {
  if (step.added.length === 0) return step.base
  step.base = foldRun(
    step.added.sort((a, b) => a.seq - b.seq),
    step.base,
  )
  step.added = []
  return step.base
}

/** Returns the first event of the run. Throws when the journal has none. */
export function startOf(state: RunState): RunEventOf<'run-start'>['data'] {
  if (!state.start) throw new Error('The journal has no run-start event.')
  return state.start
}

/** Returns model number `index` of the run, from 0. Throws when there is none. */
export function targetAt(step: RunStep, index: number): ModelTarget {
  const target = startOf(step.base).snapshot.targets[index]
  if (!target) throw new Error(`The configuration has no model number ${index + 1}.`)
  return target
}

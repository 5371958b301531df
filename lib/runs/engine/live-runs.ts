import 'server-only'
import type { RunDeps, StopReason } from '@/lib/engines/runtime/deps'
import type { RunState } from '@/lib/protocol/fold-run'
import type { ToolMeta } from '@/lib/protocol/tool'
import type { SubjectQuestion } from '@/lib/toolset/load-subject'

/** A call in flight. Its signal aborts, with a sentence as reason, when the gates no longer allow its tool. */
export type CallInFlight = { tool: ToolMeta | undefined; controller: AbortController }

/** A run this process works on: its folded journal, what decisions about it need, and the function that stops it. */
export type LiveRun = {
  state: RunState
  deps: RunDeps
  question: SubjectQuestion
  /** The model of its fallback chain that it asked last. */
  target: number
  calls: Set<CallInFlight>
  stop: (reason: StopReason) => void
}

const live = new Map<string, LiveRun>()

export const liveRuns: ReadonlyMap<string, LiveRun> = live

export function keepLiveRun(runId: string, run: LiveRun): void {
  live.set(runId, run)
}

export function dropLiveRun(runId: string): void {
  live.delete(runId)
}

let draining = false

/** Prevents every further step of a run in this process. */
export function stopTakingSteps(): void {
  draining = true
}

export function takesSteps(): boolean {
  return !draining
}

import 'server-only'
import type { RunState } from '@/lib/protocol/fold-run'
import type { RunDeps, StopReason } from '@/lib/runtime/deps'

/** A run this process works on: its folded journal, and the way to stop it. */
export type LiveRun = {
  state: RunState
  deps: RunDeps
  stop: (reason: StopReason) => void
  close: () => void
}

const live = new Map<string, LiveRun>()

export const liveRuns: ReadonlyMap<string, LiveRun> = live

export function keepLiveRun(runId: string, run: LiveRun): void {
  live.set(runId, run)
}

export function dropLiveRun(runId: string): void {
  live.get(runId)?.close()
  live.delete(runId)
}

let draining = false

/** From now on no run takes another step here. */
export function stopTakingSteps(): void {
  draining = true
}

export function takesSteps(): boolean {
  return !draining
}

import 'server-only'
import type { RunDeps, StopReason } from '@/lib/engines/runtime/deps'
import { decideTool, revocation } from '@/lib/engines/runtime/policy/decide-tool'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { conversationReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import { isOutage } from '@/lib/kernel/database-errors'
import type { Database } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RunEvent, RunEventOf } from '@/lib/protocol/run/run-event'
import type { ToolMeta } from '@/lib/protocol/tool'
import { loadSubjects, type SubjectQuestion } from '@/lib/toolset/policy/load-subject'
import type { RunRequest } from '../schemas'

/** A call in flight. Its signal aborts, with a sentence as reason, when the gates no longer allow its tool. */
export type CallInFlight = {
  callId: string
  tool: ToolMeta | undefined
  controller: AbortController
}

/** A run that an engine works on: its folded journal, what decisions about it need, and the function that stops it. */
export type LiveRun = {
  state: RunState
  deps: RunDeps
  question: SubjectQuestion & { freezes: number }
  /** The model of its fallback chain that it asked last. */
  target: number
  calls: Set<CallInFlight>
  stop: (reason: StopReason) => void
}

/** A run that this process just created: what the database has of it. */
export type NewRun = {
  runId: string
  userId: string
  /** The key it was started with; null = it was started without one. */
  apiKeyId: string | null
  accessEpoch: number
  freezes: number
  request: RunRequest
  createdAt: Date
  start: RunEventOf<'run-start'>
  /** Its second event, when it goes on from another run. */
  copied?: RunEventOf<'copied'>
}

/** Returns the first event of a run that this process just created. */
export function firstEvent({ runId, createdAt, start }: NewRun): RunEvent {
  return { ...start, runId, seq: 1, at: createdAt.getTime() }
}

/** The live runs of one engine, and its database. */
type LiveRuns = { liveRuns: ReadonlyMap<string, LiveRun>; database: Database }

const retryMs = 500

/** Stops live runs that were cancelled; `runId` empty = checks all of them. */
export async function stopCancelledRuns(
  { liveRuns, database }: LiveRuns,
  runId: string,
): Promise<void> {
  const ids = runId === '' ? [...liveRuns.keys()] : [runId].filter((id) => liveRuns.has(id))
  if (ids.length === 0) return
  try {
    const cancelled = await database.client.run.findMany({
      where: { id: { in: ids }, cancelledBy: { not: null } },
      select: { id: true, cancelledBy: true, cancelReason: true },
    })
    for (const run of cancelled) {
      liveRuns.get(run.id)?.stop({
        type: 'cancelled',
        by: run.cancelledBy ?? 'unknown',
        reason: run.cancelReason ?? '',
      })
    }
  } catch (error) {
    log.error(
      { source: 'engine', error: String(error) },
      'Cannot read which runs to stop; trying again',
    )
    setTimeout(() => void stopCancelledRuns({ liveRuns, database }, runId), retryMs).unref()
  }
}

/**
 * Reads the policy once for all live runs: ends those that lost a right or were frozen, and aborts calls whose tool is
 * no longer allowed (SPEC G-F, G-R). `again` checks once more, after the database did not answer: no call ends because of
 * that.
 */
export async function recheckLiveRuns(
  { liveRuns, database }: LiveRuns,
  again: () => Promise<void>,
): Promise<void> {
  const runs = [...liveRuns.values()]
  if (runs.length === 0) return
  try {
    const readings = await loadSubjects(
      database.client,
      runs.map(({ question }) => question),
    )
    for (const [place, run] of runs.entries()) {
      const reading = readings[place]
      if (reading?.type === 'read') recheck(run, reading.value)
      else abortCalls(run, reading?.error)
    }
  } catch (error) {
    // During an outage the policy cannot change, and each call has its own time limit.
    if (isOutage(error)) setTimeout(() => void again(), retryMs).unref()
    else for (const run of runs) abortCalls(run, error)
  }
}

function recheck(run: LiveRun, now: Subject): void {
  const { state, deps } = run
  const subject = { ...now, untrustedReads: conversationReads(state, deps) }
  const { frozen } = subject
  const revoked = revocation(subject, run.target)
  if (frozen) run.stop({ type: 'frozen', ...frozen })
  else if (revoked !== null) run.stop({ type: 'revoked', reason: revoked })
  for (const { tool, controller } of run.calls) {
    const verdict = decideTool(tool, subject)
    if (!verdict.allowed) controller.abort(verdict.reason)
  }
}

/** Aborts the calls of a run whose policy cannot be read, because then nothing is allowed. */
function abortCalls({ calls }: LiveRun, error: unknown): void {
  log.warn({ source: 'gates', error: String(error) }, 'Cannot read the policy')
  for (const { controller } of calls) controller.abort('The switches could not be read.')
}

import 'server-only'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { revocation, type Subject } from '@/lib/engines/runtime/policy/subject'
import { db, isUnreachable } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { loadSubjects } from '@/lib/toolset/load-subject'
import { coalesced } from './coalesced'
import { type LiveRun, liveRuns } from './live-runs'

const retryMs = 500

/**
 * Reads the policy once for all runs this process works on: ends those that lost a right or were frozen, and aborts
 * calls whose tool is no longer allowed (SPEC G-F, G-R). Resolves after a check that began no earlier than the call;
 * changes during one check share the next one.
 */
export const recheckRuns = coalesced(async () => {
  const runs = [...liveRuns.values()]
  if (runs.length === 0) return
  try {
    const readings = await loadSubjects(
      db(),
      runs.map(({ question }) => question),
    )
    for (const [place, run] of runs.entries()) {
      const reading = readings[place]
      if (reading?.type === 'read') recheck(run, reading.value)
      else abortCalls(run, reading?.error)
    }
  } catch (error) {
    for (const run of runs) abortCalls(run, error)
    if (isUnreachable(error)) setTimeout(() => void recheckRuns(), retryMs).unref()
  }
})

function recheck(run: LiveRun, subject: Subject): void {
  const { frozen } = subject
  const revoked = revocation(subject, run.target)
  if (frozen) run.stop({ type: 'frozen', ...frozen })
  else if (revoked !== null) run.stop({ type: 'revoked', reason: revoked })
  for (const { tool, controller } of run.calls) {
    const verdict = decideTool(tool, subject)
    if (!verdict.allowed) controller.abort(verdict.reason)
  }
}

/** A policy that cannot be read allows nothing: calls in flight are aborted. */
function abortCalls({ calls }: LiveRun, error: unknown): void {
  log.warn({ source: 'gates', error: String(error) }, 'Cannot read the policy')
  for (const { controller } of calls) controller.abort('The switches could not be read.')
}

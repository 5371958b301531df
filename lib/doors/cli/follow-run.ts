import type { Ctx } from '@/lib/kernel/context'
import type { RunUpdate } from '@/lib/protocol/run-delta'
import { watchRun } from '@/lib/runs/journal/watch-run'
import { cancelRun } from '@/lib/runs/verbs'
import { exitCodeOf, exitCodes } from './exit-codes'
import { terminal } from './terminal'

/**
 * Gives each event of a run, and each piece of an answer, to `print` until its end, and the exit code that tells the
 * reason. A signal, or a reader of the output that went away, asks the run to stop and still waits for its end; the
 * second one leaves at once.
 */
export async function followRun(
  ctx: Ctx,
  runId: string,
  print: (update: RunUpdate) => void,
): Promise<number> {
  const left = new AbortController()
  let asked = false
  const stop = () => {
    if (asked) return left.abort()
    asked = true
    cancelRun(ctx, { runId, reason: 'Stopped in the terminal.' }).catch(() => left.abort())
  }
  const { onStop, writeError, drained } = terminal()
  const listensNoMore = onStop((why) => {
    if (why === 'signal' && !asked) {
      writeError('Stopping the run. Press Ctrl-C again to leave at once.\n')
    }
    stop()
  })
  try {
    for await (const updates of watchRun(ctx, runId, { after: { seq: 0 }, signal: left.signal })) {
      for (const update of updates) {
        print(update)
        if (update.type === 'run-end') return exitCodeOf(update.data.reason)
      }
      await drained()
    }
    return exitCodes.interrupted
  } finally {
    listensNoMore()
  }
}

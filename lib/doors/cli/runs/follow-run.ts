import { setTimeout as wait } from 'node:timers/promises'
import { exitCodeOf, exitCodes } from '@/lib/doors/cli/exit-codes'
import { terminal } from '@/lib/doors/cli/terminal'
import type { Ctx } from '@/lib/kernel/context'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import { waitingWords } from '@/lib/protocol/run/waiting'
import type { Outcome } from '@/lib/protocol/tool'
import { readWaiting } from '@/lib/runs/approvals/read-waiting'
import { watchRun } from '@/lib/runs/journal/watch-run'
import { cancelRun } from '@/lib/runs/verbs'
import { visibleText } from '@/lib/words/clean-text'

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
  let isAsking = false
  const stop = () => {
    if (isAsking) return left.abort()
    isAsking = true
    cancelRun(ctx, { runId, reason: 'Stopped in the terminal.' }).catch(() => left.abort())
  }
  const { onStop, writeError, drained } = terminal()
  const listensNoMore = onStop((why) => {
    if (why === 'signal' && !isAsking) {
      writeError('Stopping the run. Press Ctrl-C again to leave at once.\n')
    }
    stop()
  })
  const begun = new AbortController()
  let [usedUpHops, answered] = [false, false]
  void reportWaiting(ctx, runId, begun.signal)
  try {
    for await (const updates of watchRun(ctx, runId, { after: { seq: 0 }, signal: left.signal })) {
      for (const update of updates) {
        if (update.type !== 'run-start') begun.abort()
        print(update)
        if (update.type === 'message') answered = update.data.text.trim() !== ''
        if (update.type === 'call-end') usedUpHops ||= isBeyondHops(update.data.outcome)
        if (update.type === 'run-end') return exitCodeOf(update.data.reason, usedUpHops && answered)
      }
      await drained()
    }
    return exitCodes.interrupted
  } finally {
    begun.abort()
    listensNoMore()
  }
}

function isBeyondHops(outcome: Outcome): boolean {
  return outcome.type === 'denied' && outcome.gate === 'hop-budget'
}

/** A run that begins at once has its first round by then. */
const firstMs = 500
const everyMs = 2_000

/**
 * Writes the place of the run in the queue and the reason for waiting to standard error, each time they change, until
 * `signal` aborts. A failed read is tried again at the next interval; it never ends the command.
 */
async function reportWaiting(ctx: Ctx, runId: string, signal: AbortSignal): Promise<void> {
  const { writeError } = terminal()
  let reported = ''
  let pause = firstMs
  for (;;) {
    await wait(pause, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    pause = everyMs
    const waiting = await readWaiting(ctx, runId).catch(() => null)
    const words = waiting ? waitingWords(waiting) : ''
    if (words !== '' && words !== reported && !signal.aborted) writeError(`${visibleText(words)}\n`)
    reported = words
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { exitCodes } from '@/lib/doors/cli/exit-codes'
import { printLine } from '@/lib/doors/cli/print'
import { terminal } from '@/lib/doors/cli/terminal'
import type { Ctx } from '@/lib/kernel/context'
import type { CheckVerdict } from '@/lib/protocol/check/check'
import { advanceCheckRun } from '@/lib/runs/checks/advance-check-run'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import type { CheckRunDetail } from '@/lib/runs/checks/schemas'
import { stopCheckRun } from '@/lib/runs/checks/start-check'
import { runningEngine } from '@/lib/runs/engine/engine'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatDuration } from '@/lib/words/format'
import { linesOf, triesWords } from './junit'

const everyMs = 300

/**
 * Waits for the end of a run of checks and calls back with each try that has a verdict. A signal, or a reader of the output that went
 * away, stops it and still waits for its end; the second one leaves at once.
 */
export async function followCheckRun(
  ctx: Ctx,
  id: string,
  onTry: (result: CheckRunDetail['results'][number], run: CheckRunDetail) => void,
): Promise<CheckRunDetail> {
  const left = new AbortController()
  let isAsking = false
  const listensNoMore = terminal().onStop((why) => {
    if (isAsking) return left.abort()
    isAsking = true
    if (why === 'signal')
      terminal().writeError('Stopping the check. Press Ctrl-C again to leave at once.\n')
    stopCheckRun(ctx, { id }).catch(() => left.abort())
  })
  const told = new Set<string>()
  try {
    for (;;) {
      const run = await readCheckRun(ctx, { id })
      for (const result of run.results) {
        if (result.verdict === null || told.has(result.id)) continue
        told.add(result.id)
        onTry(result, run)
      }
      if (run.endedAt !== null || left.signal.aborted) return run
      await wait(everyMs, undefined, { signal: left.signal }).catch(() => undefined)
      await advance(id)
    }
  } finally {
    listensNoMore()
  }
}

/** Goes on with what no run of this process did: one that ended while it waited for a place. */
async function advance(id: string): Promise<void> {
  const engine = runningEngine()
  // A database that is away for a moment ends the reading above, with words for it.
  if (engine) await advanceCheckRun(engine, id).catch(() => undefined)
}

const verdictWords: Record<CheckVerdict, string> = {
  passed: 'passed',
  failed: 'failed',
  'not-run': 'not run',
}

/** Prints a try that has a verdict, with what is red. */
export function printTry(
  result: CheckRunDetail['results'][number],
  { results, checks }: CheckRunDetail,
): void {
  const { checkName, configuration, verdict, durationMs, costMicroUsd, runId } = result
  const number = results.length > checks.length ? ` (try ${result.try})` : ''
  const figures =
    runId === null ? [] : [formatDuration(durationMs ?? 0), formatCostMicroUsd(costMicroUsd)]
  const words = [verdict ? verdictWords[verdict] : 'open', ...figures].join(', ')
  printLine(visibleText(`${checkName} with ${configuration.name}${number}: ${words}`))
  for (const line of linesOf(result, false)) printLine(`  ${visibleText(line)}`)
}

/** Prints the end of a run of checks. */
export function printVerdict({
  verdict,
  checks,
  passed,
  failed,
  notRun,
  id,
}: CheckRunDetail): void {
  for (const check of checks)
    if (check.tries > 1)
      printLine(
        visibleText(`${check.checkName} with ${check.configurationName}: ${triesWords(check)}`),
      )
  const counts = `${countOf(passed, 'try', 'tries')} passed, ${failed} failed, ${notRun} not run`
  printLine(`${verdict ? verdictWords[verdict] : 'has not ended'}: ${counts}. Run of checks ${id}`)
}

/** Returns the exit code of a run of checks: 0 green, 1 red, 4 not run; of one that was left, that of an interruption. */
export function exitCodeOfChecks({ verdict }: Pick<CheckRunDetail, 'verdict'>): number {
  switch (verdict) {
    case 'passed':
      return exitCodes.ok
    case 'failed':
      return exitCodes.failed
    case 'not-run':
      return exitCodes.notRun
    case null:
      return exitCodes.interrupted
    default:
      return verdict satisfies never
  }
}

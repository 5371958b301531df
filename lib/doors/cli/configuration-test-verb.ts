import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import { visibleText } from '@/lib/protocol/clean-text'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/fold-run'
import { formatDuration, formatTokens } from '@/lib/protocol/format'
import { boundedCost, runCostBound } from '@/lib/protocol/run-cost'
import { startEngine } from '@/lib/runs/engine/start-engine'
import { startTestRun } from '@/lib/runs/start-test-run'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { followRun } from './follow-run'
import { printJson, printLine } from './print'

/** Makes one short real run with a configuration, and gives the exit code that tells how it ended. */
export async function testAndPrint(name: string, options: CommonOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const { id, identifier } = await findConfiguration(ctx, name)
  const engine = await startEngine('cli')
  try {
    const { runId } = await startTestRun(ctx, id)
    let state: RunState = initialRunState
    const code = await followRun(ctx, runId, (event) => {
      state = foldRun([event], state)
    })
    const result = resultOf(runId, state)
    if (options.json) printJson({ identifier, ...result })
    else printResult(identifier, result)
    return code
  } finally {
    await engine.close()
  }
}

function resultOf(runId: string, state: RunState) {
  const { rounds, end } = state
  return {
    runId,
    answer: rounds.at(-1)?.text ?? '',
    failure: end?.failure || end?.reason !== 'completed' ? (end?.message ?? 'No end.') : null,
    inputTokens: end?.usage.inputTokens ?? 0,
    outputTokens: end?.usage.outputTokens ?? 0,
    costMicroUsd: end?.costMicroUsd ?? null,
    costBound: runCostBound(state),
    durationMs: end?.wallTimeMs ?? 0,
  }
}

function printResult(identifier: string, result: ReturnType<typeof resultOf>): void {
  const { failure, answer, inputTokens, outputTokens, durationMs, runId } = result
  const cost = boundedCost(result.costMicroUsd, result.costBound)
  if (failure) printLine(`${identifier} did not answer: ${visibleText(failure)}`)
  else printLine(`${identifier} answered: ${visibleText(answer.slice(0, 500))}`)
  printLine(
    `${formatDuration(durationMs)}, ${formatTokens(inputTokens)} in, ${formatTokens(outputTokens)} out, ${cost}. Run ${runId}.`,
  )
}

import { exitCodeOf, exitCodes } from '@/lib/doors/cli/exit-codes'
import { printLine, printTable } from '@/lib/doors/cli/print'
import { EndReason } from '@/lib/protocol/run/run-event'
import type { DryRun } from '@/lib/runs/dry-run/dry-run'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatTokens } from '@/lib/words/format'

/** Prints the model, the offer, tokens, cost and refusals. The request itself is in the JSON. */
export function printDryRun(answer: DryRun): void {
  const { refusal, models, offered, inputTokens, cost, costCaps, tools, warnings } = answer
  if (refusal) printLine(`Refused: ${visibleText(refusal.message)}`)
  printModels(models)
  if (inputTokens !== null) printLine(`Input: about ${formatTokens(inputTokens)}`)
  if (cost) {
    const { mostInputTokens, mostOutputTokens, mostMicroUsd } = cost
    const tokens = `${formatTokens(mostInputTokens)} in, ${formatTokens(mostOutputTokens)} out`
    const most = mostMicroUsd === null ? 'unpriced' : `at most ${formatCostMicroUsd(mostMicroUsd)}`
    printLine(`First request: ${most} (${tokens})`)
  }
  for (const { scope, mode, limitMicroUsd } of costCaps) {
    const does = mode === 'enforce' ? 'stops' : 'warns'
    printLine(`Cost cap of the ${scope}: ${does} at ${formatCostMicroUsd(limitMicroUsd)}`)
  }
  for (const warning of warnings) printLine(visibleText(`Warning: ${warning}`))
  if (inputTokens !== null) {
    const names = offered.length > 0 ? `: ${offered.join(', ')}` : ''
    printLine(visibleText(`Offered: ${countOf(offered.length, 'tool')}${names}`))
  }
  const denied = tools.filter(({ allowed }) => !allowed)
  if (denied.length === 0) return
  printLine()
  printTable(
    ['NOT OFFERED', 'GATE', 'REASON'],
    denied.map(({ name, gate, reason }) => [name, gate ?? '', reason ?? '']),
  )
}

function printModels(models: DryRun['models']): void {
  // A refused run uses no model, so the first that is not passed over counts.
  const model = models.find(({ skipped }) => skipped === null)
  for (const each of models) {
    const name = `${each.modelId} at ${each.connection}`
    const label = each === model ? 'Model' : 'Fallback'
    const line =
      each.skipped === null ? `${label}: ${name}` : `Passed over: ${name} (${each.skipped})`
    printLine(visibleText(line))
  }
}

/** Returns the exit code of `toolgate run` where the run would be refused or would end before its first request. */
export function dryRunExitCode({ refusal }: Pick<DryRun, 'refusal'>): number {
  if (refusal === null) return exitCodes.ok
  const reason = EndReason.safeParse(refusal.code)
  return reason.success ? exitCodeOf(reason.data) : exitCodes.failed
}

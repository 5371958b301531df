import { findApprovalRule } from '@/lib/domains/approvals/reads'
import { countOf } from '@/lib/protocol/format'
import { type Simulation, simulateApprovalRule } from '@/lib/runs/simulate-approval-rule'
import { unknownNames } from '@/lib/toolset/known-names'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'

import { cutLine, printJson, printLine, printTable } from './print'
import { type RuleOptions, withRuleOptions } from './rule-options'

export type TryRuleOptions = CommonOptions & RuleOptions & { days?: number }

/** Says which past calls a rule would have stopped: one that is here, one that is described, or both together. */
export async function tryRule(name: string | undefined, options: TryRuleOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const base = name === undefined ? { name: 'Trial' } : await findApprovalRule(ctx, name)
  const rule = await withRuleOptions(ctx, base, options)
  const simulation = await simulateApprovalRule(ctx, { rule, days: options.days })
  if (options.json) return printJson(simulation)
  for (const sentence of await unknownNames(rule)) printLine(sentence)
  printSimulation(simulation)
}

function printSimulation({ looked, limited, stopped, calls }: Simulation): void {
  printLine(`The rule would have stopped ${stopped} of ${countOf(looked, 'call')}.`)
  if (limited) printLine('There were more calls in this period. Only the newest were checked.')
  if (calls.length === 0) return
  printTable(
    ['AT', 'RUN', 'TOOL', 'ARGUMENTS', 'OUTCOME'],
    calls.map(({ at, runId, toolName, argumentsText, outcome }) => [
      at,
      runId,
      toolName,
      cutLine(argumentsText),
      outcome ?? 'none',
    ]),
  )
  if (stopped > calls.length) printLine(`Showing ${calls.length} of ${stopped}.`)
}

import { printLine } from '@/lib/doors/cli/print'
import { boundedCost } from '@/lib/protocol/cost/cost'
import { envelopeProse } from '@/lib/protocol/panel/coordination'
import { roleTitle } from '@/lib/protocol/panel/role-words'
import type { PanelSummary } from '@/lib/runs/panels/panel-schemas'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd, formatCount, formatDuration } from '@/lib/words/format'

type Member = PanelSummary['members'][number]

/** Prints the members of a panel, one below the other, and what they cost together. */
export function printPanel(panel: PanelSummary): void {
  printLine(`Panel ${panel.panelId}`)
  for (const [place, { name, role, refusal, run }] of panel.members.entries()) {
    const title = roleTitle(panel.members, place)
    const mark = run && panel.choice?.runId === run.runId ? ' (chosen)' : ''
    printLine(`\n── ${title ? `${title}: ` : ''}${visibleText(name)}${mark} ──`)
    if (!run) printLine(`Refused: ${visibleText(refusal ?? '')}`)
    else printMember(run, role)
  }
  const tokens = formatCount(panel.inputTokens + panel.outputTokens)
  printLine(`\nTogether: ${formatCostMicroUsd(panel.costMicroUsd)}, ${tokens} tokens.`)
  const { costCap, choice } = panel
  if (costCap?.exceeded)
    printLine(
      `The cap of ${formatCostMicroUsd(costCap.limitMicroUsd)} was reached${costCap.blocked ? ' and stopped members' : ''}.`,
    )
  if (choice?.note) printLine(`Note: ${visibleText(choice.note)}`)
}

function printMember(run: NonNullable<Member['run']>, role: Member['role']): void {
  const { answer, endReason, message, calls, tools } = run
  const prose = role && envelopeProse(role, run.envelope)
  if (prose) {
    for (const { heading, lines } of prose)
      for (const [place, line] of lines.entries())
        printLine(`${place === 0 ? `${heading}: ` : '  '}${visibleText(line)}`)
  } else if (answer !== '') printLine(visibleText(answer))
  if (endReason !== 'completed' && message !== '') printLine(visibleText(message))
  for (const { hop, name, status, gate } of run.toolCalls)
    printLine(`  ${hop}. ${visibleText(name)}: ${status}${gate ? ` (${gate})` : ''}`)
  for (const { name, gate } of tools.rejected) printLine(`${name} was not offered (${gate}).`)
  const facts = [
    endReason ?? (run.waitsForPeople ? 'waiting for approval' : 'running'),
    countOf(calls, 'call'),
    `${formatCount(run.inputTokens)} tokens in, ${formatCount(run.outputTokens)} out`,
    boundedCost(run.costMicroUsd, run.costBound),
    ...(run.workMs === null ? [] : [formatDuration(run.workMs)]),
    `run ${run.runId}`,
  ]
  printLine(facts.join(' · '))
}

import { atMostWords, costWords, reportedWords } from '@/lib/domains/usage/cost-words'
import { exportUsage, type UsageExport } from '@/lib/domains/usage/export-usage'
import type { ToolUsage } from '@/lib/domains/usage/read-tool-usage'
import type { UsagePart } from '@/lib/domains/usage/read-usage'
import type { UsagePeriod, UsageSplit } from '@/lib/domains/usage/usage-filter'
import { usageReport } from '@/lib/domains/usage/usage-report'
import { countOf, formatCount, formatDuration } from '@/lib/protocol/format'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { writePieces } from './write-pieces'

export type UsageOptions = CommonOptions & { period: UsagePeriod; by: UsageSplit }
export type ExportUsageOptions = {
  as?: string
  period: UsagePeriod
  format: UsageExport['format']
}

/** What each part used, and all of them together. */
export async function printUsage({ period, by, json, as }: UsageOptions): Promise<void> {
  const report = await usageReport(await actingCtx(as), { period, by })
  if (json) return printJson(report)
  if ('tools' in report) printTools(report.tools)
  else printParts(by, report.parts)
  const { totals, before, from } = report
  const unpriced = totals.unpriced > 0 ? ` (${formatCount(totals.unpriced)} unpriced)` : ''
  const remarks = [atMostWords(totals), reportedWords(totals)].filter((words) => words !== '')
  for (const remark of remarks) printLine(remark)
  printLine(
    `Since ${from}: ${costWords(totals)} for ${countOf(totals.calls, 'request')}${unpriced}. Previous period: ${before.calls === 0 ? 'nothing' : costWords(before)}.`,
  )
}

function printParts(by: UsageSplit, parts: readonly UsagePart[]): void {
  printTable(
    [by.toUpperCase(), 'COST', 'UNPRICED', 'TOKENS', 'REQUESTS', 'RUNS', 'P95', 'ERRORS'],
    parts.map((part) => [
      part.detail ? `${part.label} (${part.detail})` : part.label,
      costWords(part),
      formatCount(part.unpriced),
      formatCount(part.inputTokens + part.outputTokens),
      formatCount(part.calls),
      formatCount(part.runs),
      part.p95Ms === null ? '-' : formatDuration(part.p95Ms),
      formatCount(part.errors),
    ]),
  )
}

function printTools(tools: readonly ToolUsage[]): void {
  printTable(
    ['TOOL', 'CALLS', 'FAILED', 'DENIED', 'P95', 'LAST USED'],
    tools.map((tool) => [
      tool.toolName,
      formatCount(tool.calls),
      formatCount(tool.failed + tool.invalid),
      formatCount(tool.denied),
      tool.p95Ms === null ? '-' : formatDuration(tool.p95Ms),
      tool.lastAt,
    ]),
  )
}

export async function writeUsage({ as, period, format }: ExportUsageOptions): Promise<void> {
  await writePieces(await exportUsage(await actingCtx(as), { period, format }))
}

import { type Command, Option } from 'commander'
import type { ToolUsage, UsagePart } from '@/lib/domains/usage/reads'
import type { UsageFigures } from '@/lib/domains/usage/shared/usage-figures'
import { UsagePeriod, UsageSplit } from '@/lib/domains/usage/usage-filter'
import type { ExportFormat } from '@/lib/edge/download'
import { countOf, formatCount, formatDuration } from '@/lib/words/format'
import { command } from '../command'
import { formatOption, printLine, printTable, writePieces } from '../print'

const costs = () => import('@/lib/domains/usage/shared/cost-words')

type ShowOptions = { period: UsagePeriod; by: UsageSplit; key?: string }
type ExportOptions = { period: UsagePeriod; format: ExportFormat }

export function addUsageCommands(program: Command): void {
  const usage = program.command('usage').description('model requests and what they cost')
  command<ShowOptions>(usage, 'show', {
    description: 'totals of a period, next to those of the period before',
    options: (made) =>
      made
        .addOption(period())
        .addOption(
          new Option('--by <what>', 'what to group by')
            .choices(UsageSplit.options)
            .default('model'),
        )
        .option('--key <id>', 'only runs that this API key started'),
    work: async ({ ctx, options: { period, by, key: apiKey } }) => {
      const { readUsageReport } = await import('@/lib/domains/usage/reads')
      const report = await readUsageReport(ctx, { period, by, ...(apiKey && { apiKey }) })
      return {
        json: report,
        text: async () => {
          if ('tools' in report) printTools(report.tools)
          else printParts(by, report.parts)
          await printSums(report)
        },
      }
    },
  })
  command<ExportOptions>(usage, 'export', {
    description: 'write every request of a period to standard output (the export is audited)',
    json: false,
    options: (made) => made.addOption(period()).addOption(formatOption()),
    work: async ({ ctx, options: { period, format } }) => {
      const { exportUsage } = await import('@/lib/domains/usage/export-usage')
      const pieces = await exportUsage(ctx, { period, format })
      return { text: () => writePieces(pieces) }
    },
  })
}

function period(): Option {
  return new Option('--period <period>', 'which time to look at; days and months are in UTC')
    .choices(UsagePeriod.options)
    .default('30d')
}

type InWords = { cost: string }
type Sums = {
  from: string
  to: string
  totals: UsageFigures & InWords
  before: UsageFigures & InWords
}

async function printSums({ totals, before, from, to }: Sums): Promise<void> {
  const { atMostWords, reportedWords } = await costs()
  const unpriced = totals.unpriced > 0 ? ` (${formatCount(totals.unpriced)} unpriced)` : ''
  const remarks = [atMostWords(totals), reportedWords(totals)].filter((words) => words !== '')
  for (const remark of remarks) printLine(remark)
  printLine(
    `From ${from} to ${to}: ${totals.cost} for ${countOf(totals.calls, 'request')}${unpriced}. Previous period: ${before.calls === 0 ? 'nothing' : before.cost}.`,
  )
}

function printParts(by: UsageSplit, parts: readonly (UsagePart & InWords)[]): void {
  printTable(
    [
      by === 'apiKey' ? 'API KEY' : by.toUpperCase(),
      'COST',
      'UNPRICED',
      'TOKENS',
      'REQUESTS',
      'RUNS',
      'P95',
      'ERRORS',
    ],
    parts.map((part) => [
      part.detail ? `${part.label} (${part.detail})` : part.label,
      part.cost,
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

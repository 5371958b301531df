import { type Command, Option } from 'commander'
import type { AuditKind } from '@/lib/domains/audit/audit-filter'
import { wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { ExportFormat } from '@/lib/edge/download'
import { command } from '../command'
import { formatOption, printLine, printTable, writePieces } from '../print'

type FilterOptions = {
  kind?: AuditKind
  actor?: string
  action?: string
  objectType?: string
  objectId?: string
  from?: string
  to?: string
}
type ListOptions = FilterOptions & { limit: number; cursor?: string }
type ExportOptions = FilterOptions & { format: ExportFormat }

export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('who changed what and when, and what was refused')
  command<ListOptions>(audit, 'list', {
    description: 'list changes and refusals, newest first',
    options: (made) =>
      withFilter(made)
        .option('--limit <number>', 'maximum number of entries', wholeNumber(1, 500), 50)
        .option('--cursor <id>', 'continue after this entry'),
    work: async ({ ctx, options: { limit, cursor, ...options } }) => {
      const { AuditFilter } = await import('@/lib/domains/audit/audit-filter')
      const { listAudit } = await import('@/lib/domains/audit/list-audit')
      const { parseInput } = await import('@/lib/kernel/parse-input')
      const filter = parseInput(AuditFilter, { ...filterOf(options), limit, cursor })
      const { rows, nextCursor, total, capped } = await listAudit(ctx, filter)
      return {
        json: { rows, nextCursor, total, capped },
        text: () => {
          printTable(
            ['TIME', 'COUNT', 'WHO', 'ACTION', 'OBJECT', 'REASON'],
            rows.map(({ at, count, actor, action, objectType, objectId, reason }) => [
              at,
              String(count),
              actor,
              action,
              objectId ? `${objectType} ${objectId}` : objectType,
              reason,
            ]),
          )
          const all = capped ? `More than ${total}` : total
          if (nextCursor) printLine(`${all} in total. Continue with --cursor ${nextCursor}`)
        },
      }
    },
  })
  command<ExportOptions>(audit, 'export', {
    description: 'write all matching entries to standard output (the export is audited)',
    json: false,
    options: (made) => withFilter(made).addOption(formatOption()),
    work: async ({ ctx, options: { format, ...options } }) => {
      const { exportAudit } = await import('@/lib/domains/audit/export-audit')
      const pieces = await exportAudit(ctx, { ...filterOf(options), format })
      return { text: () => writePieces(pieces) }
    },
  })
}

function withFilter(made: Command): Command {
  return made
    .addOption(
      new Option('--kind <kind>', 'changes, or what was refused').choices(['change', 'refusal']),
    )
    .option('--actor <text>', 'part of the e-mail address of the person')
    .option('--action <name>', 'action, such as tool.switch-off')
    .option('--object-type <name>', 'kind of object, such as user or configuration')
    .option('--object-id <id>', 'id of the changed object')
    .option('--from <time>', 'earliest time, such as 2026-11-22T00:00:00Z')
    .option('--to <time>', 'latest time, such as 2026-11-23T00:00:00Z')
}

/** Returns the filter alone, without the options that every command has. */
function filterOf(options: FilterOptions): FilterOptions {
  const { kind, actor, action, objectType, objectId, from, to } = options
  return { kind, actor, action, objectType, objectId, from, to }
}

import { AuditFilter, type AuditKind } from '@/lib/domains/audit/audit-filter'
import { type AuditExport, exportAudit } from '@/lib/domains/audit/export-audit'
import { listAudit } from '@/lib/domains/audit/list-audit'
import { parseInput } from '@/lib/kernel/parse-input'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { writePieces } from './write-pieces'

type FilterOptions = {
  kind?: AuditKind
  actor?: string
  action?: string
  objectType?: string
  objectId?: string
  from?: string
  to?: string
}
export type ListAuditOptions = CommonOptions & FilterOptions & { limit: number; cursor?: string }
export type ExportAuditOptions = CommonOptions & FilterOptions & { format: AuditExport['format'] }

/** Newest first; the last line says how to read on. */
export async function printAudit(options: ListAuditOptions): Promise<void> {
  const { limit, cursor } = options
  const filter = parseInput(AuditFilter, { ...filterOf(options), limit, cursor })
  const { rows, nextCursor, total, capped } = await listAudit(await actingCtx(options.as), filter)
  if (options.json) return printJson({ rows, nextCursor, total, capped })
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
  if (nextCursor)
    printLine(
      `${capped ? `More than ${total}` : total} in total. Continue with --cursor ${nextCursor}`,
    )
}

export async function writeAudit(options: ExportAuditOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  await writePieces(await exportAudit(ctx, { ...filterOf(options), format: options.format }))
}

function filterOf({
  kind,
  actor,
  action,
  objectType,
  objectId,
  from,
  to,
}: FilterOptions): FilterOptions {
  return { kind, actor, action, objectType, objectId, from, to }
}

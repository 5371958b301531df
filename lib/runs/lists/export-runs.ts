import 'server-only'
import { ExportFormat, ExportPieces, exportPieces } from '@/lib/edge/download'
import { changed, verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { RunFilter, RunRow } from '@/lib/runs/schemas'
import { orderOf, runConditions } from './run-query'
import { toRows, withNames } from './run-rows'

const pageSize = 500

export const RunExport = RunFilter.omit({ page: true, pageSize: true, cursor: true }).extend({
  format: ExportFormat,
})

const columns = Object.keys(RunRow.shape) as (keyof RunRow)[]

/**
 * The audit has the export before the first piece. Which runs it has, and their order, are those of that moment: memory
 * holds the ids of all, and one page of their rows at a time.
 */
export const exportRuns = verb({
  name: 'run.export',
  role: 'member',
  scope: null,
  summary:
    'Exports the runs that fit a filter, of everybody for admins and their own for members. The export is audited.',
  input: RunExport,
  output: ExportPieces,
  run: async ({ ctx }, { format, ...filter }) => {
    const ids = await findIds(ctx, filter)
    const pieces = exportPieces(format, columns, (cursor) =>
      readPage(ctx, ids, Number(cursor ?? 0)),
    )
    return changed(pieces, { subject: null, after: { format, ...filter } })
  },
})

async function findIds(
  ctx: Ctx,
  { sort, ...filter }: Omit<RunFilter, 'page' | 'pageSize' | 'cursor'>,
) {
  const where = await runConditions(ctx, filter)
  const found = await db().run.findMany({ where, orderBy: orderOf(sort), select: { id: true } })
  return found.map(({ id }) => id)
}

async function readPage(ctx: Ctx, all: readonly string[], from: number) {
  const ids = all.slice(from, from + pageSize)
  const found = await db().run.findMany({ where: { id: { in: ids } }, include: withNames })
  const byId = new Map(found.map((run) => [run.id, run]))
  const rows = await toRows(
    ctx,
    ids.flatMap((id) => byId.get(id) ?? []),
  )
  return { rows, nextCursor: from + pageSize < all.length ? String(from + pageSize) : null }
}

import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import { cleanText } from '@/lib/words/clean-text'
import {
  type MemoryNote,
  MemorySize,
  type NoteFilter,
  type NoteSortKey,
  SizeFilter,
  type SizeSortKey,
} from './schemas'
import { foundNotes } from './store'

const excerptCharacters = 200

const NoteRow = z.object({
  id: z.string(),
  text: z.string(),
  configurationId: z.string(),
  configurationName: z.string(),
  runId: z.string().nullable(),
  prompt: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const noteColumns: Record<NoteSortKey, Prisma.Sql> = {
  configuration: Prisma.sql`c.name`,
  changed: Prisma.sql`f."updatedAt"`,
}

/** Returns one page of the caller's own notes, and how many match in all. */
export async function readOwnNotes(
  ctx: Ctx,
  { search, configuration, page, pageSize, sort }: NoteFilter,
): Promise<{ notes: MemoryNote[]; total: number }> {
  const wanted = foundNotes({
    where: Prisma.sql`"userId" = ${ctx.actor.userId}::uuid AND ${withinKey(ctx)} AND ${withConfiguration(configuration)}`,
    search: search ? cleanText(search) : null,
  })
  const { key, direction } = sortParts<NoteSortKey>(sort)
  const [rows, [count]] = await Promise.all([
    db().$queryRaw<unknown[]>`
      WITH ${wanted}
      SELECT f.id, f.text, f."createdAt", f."updatedAt", c.id AS "configurationId", c.name AS "configurationName",
        f."runId", left(r.prompt, ${excerptCharacters}) AS prompt
      FROM found f JOIN configurations c ON c.id = f."configurationId" LEFT JOIN runs r ON r.id = f."runId"
      ORDER BY ${noteColumns[key]} ${directions[direction]}, f."updatedAt" DESC, f.id DESC
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
    db().$queryRaw<{ total: number }[]>`WITH ${wanted} SELECT count(*)::int AS total FROM found`,
  ])
  return { notes: z.array(NoteRow).parse(rows).map(toNote), total: count?.total ?? 0 }
}

/** Returns the configurations with which the caller has notes, by name. */
export async function readOwnConfigurations({ actor: { userId } }: Ctx) {
  const rows = await db().memorySize.findMany({
    where: { userId, notes: { gt: 0 } },
    select: { notes: true, configuration: { select: { id: true, name: true } } },
    orderBy: { configuration: { name: 'asc' } },
  })
  return rows.map(({ notes, configuration }) => ({ ...configuration, notes }))
}

const directions = { asc: Prisma.sql`ASC`, desc: Prisma.sql`DESC` }

function toNote(row: z.output<typeof NoteRow>): MemoryNote {
  const { id, text, runId } = row
  return {
    id,
    text,
    configuration: { id: row.configurationId, name: row.configurationName },
    run: runId === null ? null : { id: runId, prompt: row.prompt ?? '' },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function withinKey({ keyLimits }: Ctx): Prisma.Sql {
  const ids = keyLimits?.configurations ?? null
  return ids === null ? Prisma.sql`true` : Prisma.sql`"configurationId" = ANY(${ids}::uuid[])`
}

/** Limits a search to one configuration. One that does not exist finds nothing, like one without notes. */
function withConfiguration(named: string | undefined): Prisma.Sql {
  if (!named) return Prisma.sql`true`
  return Prisma.sql`"configurationId" IN (
    SELECT id FROM configurations WHERE id::text = ${named} OR identifier = ${named})`
}

export const listMemorySizes = verb({
  name: 'memory.sizes',
  role: 'admin',
  scope: 'memory:read',
  summary: 'Lists how many notes people have with each configuration; not what they say.',
  input: SizeFilter,
  output: z.object({
    sizes: z.array(MemorySize),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  }),
  transaction: false,
  run: async (_context, { search, page, pageSize, sort }) => {
    const where = { notes: { gt: 0 }, ...(search && { OR: sizesWith(search) }) }
    const { key, direction } = sortParts<SizeSortKey>(sort)
    const [rows, total] = await Promise.all([
      db().memorySize.findMany({
        where,
        orderBy: [sizeOrders[key](direction), { userId: 'asc' }, { configurationId: 'asc' }],
        skip: (page - 1) * pageSize,
        take: pageSize,
        select: {
          user: { select: { id: true, email: true } },
          configuration: { select: { id: true, name: true } },
          notes: true,
          bytes: true,
        },
      }),
      db().memorySize.count({ where }),
    ])
    const sizes = rows.map(({ user: person, ...row }) => ({ person, ...row }))
    return { sizes, total, page, pageSize }
  },
})

function sizesWith(search: string): Prisma.MemorySizeWhereInput[] {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  return [{ user: { email: contains } }, { configuration: { name: contains } }]
}

type SizeOrder = (direction: SortDirection) => Prisma.MemorySizeOrderByWithRelationInput

const sizeOrders: Record<SizeSortKey, SizeOrder> = {
  person: (email) => ({ user: { email } }),
  configuration: (name) => ({ configuration: { name } }),
  notes: (notes) => ({ notes }),
  size: (bytes) => ({ bytes }),
}

import 'server-only'
import { z } from 'zod'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { markLimits, RunNote, RunNoteText, RunTag } from '@/lib/protocol/run/run-marks'
import { requireRun } from './require-run'

const Tags = z.array(RunTag).max(markLimits.tags * 2, 'These are too many tags.')

/**
 * The journal of the run stays as it is (SPEC C4). What others add or remove meanwhile stays, too. Throws NotFoundError
 * for runs that are not the caller's.
 */
export const markRun = verb({
  name: 'run.mark',
  role: 'member',
  scope: 'runs:write',
  summary: 'Adds tags to a run, removes some, or changes its note.',
  input: z.object({
    runId: z.string(),
    addTags: Tags.default([]),
    removeTags: Tags.default([]),
    note: RunNoteText.optional().meta({ description: 'Plain text; "" removes the note.' }),
  }),
  output: z.object({ tags: z.array(z.string()), note: RunNote.nullable() }),
  run: async ({ tx, ctx, actor }, { runId, addTags, removeTags, note }) => {
    const { id } = await requireRun(ctx, runId, tx)
    const before = await lockMarks(tx, id)
    const kept = before.tags.filter((tag) => !removeTags.includes(tag))
    const tags = [...new Set([...kept, ...addTags.filter((tag) => !removeTags.includes(tag))])]
    if (tags.length > markLimits.tags && tags.length > before.tags.length) {
      throw new ValidationError({ addTags: `A run has at most ${markLimits.tags} tags.` })
    }
    const isSameNote = note === undefined || note === (before.note ?? '')
    if (isSameNote && String(tags) === String(before.tags)) return unchanged(toMarks(before))
    const written = isSameNote
      ? {}
      : { note: note || null, noteBy: note ? actor.email : null, noteAt: note ? new Date() : null }
    const after = await tx.run.update({ where: { id }, data: { tags, ...written }, select: marks })
    return changed(toMarks(after), {
      subject: id,
      before: auditedMarks(before),
      after: auditedMarks(after),
    })
  },
})

const marks = { tags: true, note: true, noteBy: true, noteAt: true } as const
type Marks = Prisma.RunGetPayload<{ select: typeof marks }>

/** Returns the tags and the note of a run as everything outside of the database has them. */
export function toMarks({ tags, note, noteBy, noteAt }: Marks) {
  const isNote = note !== null && noteAt !== null
  return { tags, note: isNote ? { text: note, by: noteBy ?? '', at: noteAt.toISOString() } : null }
}

/** Locks what was written about a run against concurrent changes, and returns it. */
async function lockMarks(tx: Tx, id: string): Promise<Marks> {
  await tx.$queryRaw`SELECT 1 AS locked FROM runs WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  return tx.run.findUniqueOrThrow({ where: { id }, select: marks })
}

/** Returns what the audit keeps: not what the note says, because that is deleted with its run. */
function auditedMarks({ tags, note }: Marks) {
  return { tags, noteCharacters: note?.length ?? 0 }
}

const runsWithTags = 1_000

/** Returns the tags of the newest 1,000 runs with tags that the caller may see, by name. */
export async function recentTags(ctx: Ctx): Promise<string[]> {
  const { role, userId } = ctx.actor
  const mine = role === 'admin' ? Prisma.empty : Prisma.sql`AND "userId" = ${userId}::uuid`
  const rows = await db().$queryRaw<{ tag: string }[]>`
    SELECT DISTINCT tag
    FROM (SELECT tags FROM runs WHERE tags <> '{}' ${mine} ORDER BY "createdAt" DESC LIMIT ${runsWithTags}) r
      CROSS JOIN LATERAL unnest(r.tags) tag
    ORDER BY tag LIMIT 200`
  return rows.map(({ tag }) => tag)
}

import 'server-only'
import { keepingContent, requireContent } from '@/lib/domains/rows/keep-content'
import type { BodyPieces } from '@/lib/edge/guarded-request'
import { makeChange } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { database, type Tx, unaudited, withTransaction } from '@/lib/kernel/db'
import { RateLimitedError, TooLargeError } from '@/lib/kernel/errors'
import { type FileDataClass, maxFileBytes } from '@/lib/protocol/files/given-files'
import type { FileType } from '@/lib/protocol/tool'
import { cleanFileName } from '@/lib/words/file-name'
import { examineElsewhere } from './examine-elsewhere'

/**
 * Facts about an uploaded file for its client. `dataClass` null: each run's configuration decides; `pages` null: it is
 * no PDF, or one that cannot be measured. `hidden`: places of characters that people do not see; null: none.
 */
export type FileFacts = {
  id: string
  name: string
  type: FileType
  bytes: number
  sha256: string
  dataClass: FileDataClass | null
  pages: number | null
  hidden: string | null
}

/** Maximum uploads of one person that are not used yet. */
const unused = { files: 100, bytes: 500 * 1024 * 1024 }

/**
 * Stores a file for later runs of the person who sends it. Its bytes decide its type, whatever its name says, and are
 * stored once. The pieces are moved away: nobody reads them afterwards. By hand, because it measures the file outside of
 * the transaction that stores it. Throws TooLargeError over 20 MiB, ValidationError for a type that no model reads,
 * RateLimitedError when too many files are unused.
 */
export async function uploadFile(
  ctx: Ctx,
  input: { name: string; pieces: BodyPieces; dataClass: FileDataClass | null },
): Promise<FileFacts> {
  const { pieces, dataClass } = input
  const bytes = pieces.reduce((size, piece) => size + piece.length, 0)
  if (bytes > maxFileBytes) throw new TooLargeError(maxFileBytes)
  const name = cleanFileName(input.name)
  // Before the work of reading it, and again when it is stored.
  await withTransaction((tx) => refuseTooMany(tx, ctx, bytes))
  const { content, mostTokens, type, sha256, pages, hidden } = await examineElsewhere(pieces)
  const facts = { name, type, bytes, sha256, dataClass, pages }
  const stored = await keepingContent(database(), [{ sha256, content }], () =>
    store(ctx, facts, mostTokens),
  )
  return { ...stored, hidden }
}

function store(
  ctx: Ctx,
  facts: Omit<FileFacts, 'id' | 'hidden'>,
  mostTokens: number | null,
): Promise<Omit<FileFacts, 'hidden'>> {
  return makeChange(async (tx) => {
    await refuseTooMany(tx, ctx, facts.bytes)
    await requireContent(tx, facts.sha256)
    const { userId } = ctx.actor
    const { id } = await tx.storedFile.create({ data: { ...facts, mostTokens, userId } })
    const change = { by: ctx, action: 'file.upload', subject: id, after: facts } as const
    return { output: { id, ...facts }, changes: [change] }
  })
}

/**
 * Refuses too many files. Uploads of one person check and store one after the other, so that simultaneous ones count
 * each other.
 */
async function refuseTooMany(tx: Tx, { actor }: Ctx, bytes: number): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${actor.userId}::uuid FOR NO KEY UPDATE`
  const { _count, _sum } = await tx.storedFile.aggregate({
    where: { userId: actor.userId, usedAt: null },
    _count: true,
    _sum: { bytes: true },
  })
  if (_count < unused.files && (_sum.bytes ?? 0) + bytes <= unused.bytes) return
  throw new RateLimitedError(
    'You uploaded too many files that no run uses. They are removed a day after their upload; wait for that.',
    3600,
  )
}

/** Removes files that no run used within a day, those of deleted runs and checks, and bytes that belong to no file and no asset. */
export async function sweepFiles(tx: Tx): Promise<void> {
  const dayAgo = new Date(Date.now() - 24 * 60 * 60_000)
  await unaudited(tx, 'what no run needs any more').storedFile.deleteMany({
    where: {
      runs: { none: {} },
      checks: { none: {} },
      OR: [{ createdAt: { lt: dayAgo } }, { usedAt: { not: null } }],
    },
  })
  await tx.fileContent.deleteMany({ where: { files: { none: {} }, assets: { none: {} } } })
}

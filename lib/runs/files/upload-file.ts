import 'server-only'
import { createHash } from 'node:crypto'
import { byteBound } from '../../engines/runtime/count-tokens'
import type { Ctx } from '../../kernel/context'
import { type Tx, unaudited, withTransaction } from '../../kernel/db'
import { RateLimitedError, TooLargeError, ValidationError } from '../../kernel/errors'
import { makeChange } from '../../kernel/verb'
import {
  cleanFileName,
  type FileDataClass,
  type FileType,
  fileTypeOf,
  maxFileBytes,
} from '../../protocol/tool'
import { keepContent } from './keep-run-images'
import { measurePdf } from './measure-pdf'
import { refuseBombs, refusePages } from './refuse-bombs'

/**
 * What a client learns of a file it uploaded. `dataClass` null = each run's configuration says; `pages` null = it is no
 * PDF, or one that cannot be measured.
 */
export type FileFacts = {
  id: string
  name: string
  type: FileType
  bytes: number
  sha256: string
  dataClass: FileDataClass | null
  pages: number | null
}

/** What one person may have uploaded and not used yet. */
const unused = { files: 100, bytes: 500 * 1024 * 1024 }

/**
 * Stores a file for later runs of the person who sends it. Its bytes decide its type, whatever its name says, and are
 * stored once. By hand, because it measures the file outside of the transaction that stores it. Throws TooLargeError
 * over 20 MiB, ValidationError for a type that no model reads, RateLimitedError when too many files are unused.
 */
export async function uploadFile(
  ctx: Ctx,
  asked: { name: string; content: Uint8Array; dataClass: FileDataClass | null },
): Promise<FileFacts> {
  const { dataClass } = asked
  const content = new Uint8Array(asked.content)
  if (content.length > maxFileBytes) throw new TooLargeError(maxFileBytes)
  const type = requireType(content)
  refuseBombs(type, content)
  const name = cleanFileName(asked.name)
  const sha256 = createHash('sha256').update(content).digest('hex')
  // Before the work of measuring, and again when it is stored.
  await withTransaction((tx) => refuseTooMany(tx, ctx, content.length))
  const { pages, mostTokens } = await sizeOf(type, content)
  refusePages(pages ?? 0)
  const facts = { name, type, bytes: content.length, sha256, dataClass, pages }
  return makeChange(async (tx) => {
    await refuseTooMany(tx, ctx, content.length)
    await keepContent(tx, sha256, content)
    const { userId } = ctx.actor
    const { id } = await tx.storedFile.create({ data: { ...facts, mostTokens, userId } })
    const change = { by: ctx, action: 'file.upload', subject: id, after: facts } as const
    return { output: { id, ...facts }, changes: [change] }
  })
}

function requireType(content: Uint8Array): FileType {
  if (content.length === 0) throw new ValidationError({ file: 'The file is empty.' })
  const type = fileTypeOf(content)
  if (type !== null) return type
  throw new ValidationError({
    file: 'Attach a PNG, JPEG, WebP or GIF image, a PDF or a text in UTF-8. This file is none of them.',
  })
}

async function sizeOf(
  type: FileType,
  content: Uint8Array<ArrayBuffer>,
): Promise<{ pages: number | null; mostTokens: number | null }> {
  if (type === 'text/plain') {
    return { pages: null, mostTokens: byteBound(new TextDecoder().decode(content)) }
  }
  const size = type === 'application/pdf' ? await measurePdf(content) : null
  return { pages: size?.pages ?? null, mostTokens: size?.textTokens ?? null }
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

/** Removes files that no run used within a day, those of deleted runs, and bytes that belong to no file. */
export async function sweepFiles(tx: Tx): Promise<void> {
  const dayAgo = new Date(Date.now() - 24 * 60 * 60_000)
  await unaudited(tx, 'what no run needs any more').storedFile.deleteMany({
    where: { runs: { none: {} }, OR: [{ createdAt: { lt: dayAgo } }, { usedAt: { not: null } }] },
  })
  await tx.fileContent.deleteMany({ where: { files: { none: {} } } })
}

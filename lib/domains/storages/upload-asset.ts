import 'server-only'
import { webcrypto } from 'node:crypto'
import { keepingContent, requireContent } from '@/lib/domains/rows/keep-content'
import type { BodyPieces } from '@/lib/edge/guarded-request'
import { type MadeChange, makeChange } from '@/lib/edge/verb'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { type ChangeTx, database, db } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { countOf, formatBytes } from '@/lib/words/format'
import { auditedAsset, factColumns, factsOfAsset, requireStorage, withFreePath } from './assets'
import { assetName, bytesOf, tooLargeWords } from './shared/asset'
import type { AssetFacts } from './shared/asset-schemas'
import { mediaTypeOf, pixelsOf } from './shared/media-type'

/** The most assets of one storage, deleted ones included. */
const mostAssets = 100_000

type Upload = {
  storageId: string
  path: string
  title?: string | undefined
  replace: boolean
  pieces: BodyPieces
}

/**
 * Stores a file as an asset, or in the place of the one at its path when `replace` is true. Its bytes decide what it is. By hand,
 * because it measures the file outside of the transaction that stores it. Throws ConflictError when there is an asset at the path,
 * ValidationError when the file or the storage would be too large.
 */
export async function uploadAsset(
  ctx: Ctx,
  { pieces, ...rest }: Upload,
): Promise<{ asset: AssetFacts; isNew: boolean }> {
  requireRole(ctx, 'admin')
  const storage = await requireStorage(db(), rest.storageId)
  const content = Buffer.concat(pieces)
  refuseSize(content.length, storage)
  const file = await measured(content)
  return keepingContent(database(), [{ sha256: file.checksum, content }], () =>
    makeChange((tx) => store(tx, ctx, { ...rest, storageId: storage.id }, file)),
  )
}

type File = Awaited<ReturnType<typeof measured>>

/** Returns what the bytes of a file say. The hash is made in another thread. */
async function measured(content: Uint8Array<ArrayBuffer>) {
  const mediaType = mediaTypeOf(content)
  const { width, height } = pixelsOf(mediaType, content) ?? { width: null, height: null }
  const hash = await webcrypto.subtle.digest('SHA-256', content)
  const checksum = Buffer.from(hash).toString('hex')
  return { mediaType, width, height, bytes: content.length, checksum, contentSha256: checksum }
}

function refuseSize(bytes: number, { largestFile }: { largestFile: number }): void {
  if (bytes === 0) throw new ValidationError({ file: 'The file is empty.' })
  if (bytes <= bytesOf(largestFile)) return
  throw new ValidationError({ file: tooLargeWords(largestFile) })
}

type Place = Omit<Upload, 'pieces'>

async function store(
  tx: ChangeTx,
  ctx: Ctx,
  { storageId, path, title, replace }: Place,
  file: File,
): Promise<MadeChange<{ asset: AssetFacts; isNew: boolean }>> {
  // Uploads to one storage are stored one after the other, so that simultaneous ones count each other.
  await tx.$queryRaw`SELECT 1 FROM storages WHERE id = ${storageId}::uuid FOR NO KEY UPDATE`
  const storage = await requireStorage(tx, storageId)
  const there = await tx.asset.findFirst({ where: { storageId, path, deletedAt: null } })
  if (there && !replace) {
    throw new ConflictError('There is an asset at this path already.', 'path')
  }
  refuseSize(file.bytes, storage)
  await refuseFull(tx, storage, file.bytes - (there?.bytes ?? 0))
  await requireContent(tx, file.checksum)
  const modifiedAt = new Date()
  const changes = { ...file, modifiedAt, ...(title !== undefined && { title }) }
  if (there) {
    const asset = await tx.asset.update({
      where: { uid: there.uid },
      data: changes,
      select: factColumns,
    })
    const [before, after] = [auditedAsset(storage, there), auditedAsset(storage, asset)]
    const change = { by: ctx, action: 'asset.replace', subject: asset.uid, before, after } as const
    return { output: { asset: factsOfAsset(asset), isNew: false }, changes: [change] }
  }
  const createdByLabel = ctx.actor.email
  const asset = await withFreePath(() =>
    tx.asset.create({
      data: { title: assetName(path), ...changes, storageId, path, createdByLabel },
      select: factColumns,
    }),
  )
  const after = auditedAsset(storage, asset)
  const change = { by: ctx, action: 'asset.upload', subject: asset.uid, after } as const
  return { output: { asset: factsOfAsset(asset), isNew: true }, changes: [change] }
}

async function refuseFull(
  tx: ChangeTx,
  { id, wholeSize }: { id: string; wholeSize: number },
  more: number,
): Promise<void> {
  const { _count, _sum } = await tx.asset.aggregate({
    where: { storageId: id },
    _count: true,
    _sum: { bytes: true },
  })
  if (_count >= mostAssets) {
    throw new ValidationError({ file: `A storage has at most ${countOf(mostAssets, 'asset')}.` })
  }
  if ((_sum.bytes ?? 0) + more <= bytesOf(wholeSize)) return
  throw new ValidationError({
    file: `The storage is full: its files may have up to ${formatBytes(bytesOf(wholeSize))} together, with those that were deleted in the last 30 days.`,
  })
}

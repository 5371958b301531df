import { requireStored } from '@/lib/edge/resource-reads'
import type { Prisma } from '@/lib/generated/prisma/client'
import { isUniqueViolation, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { sortParts } from '@/lib/shape/sort-order'
import { storages } from './shape'
import type { AssetFacts, AssetFilter, AssetKind, AssetSort } from './shared/asset-schemas'
import { isShownInline } from './shared/media-type'
import { findStorage } from './stored'

/** Returns a storage by its id or name. Throws NotFoundError. */
export const requireStorage = requireStored(storages, findStorage)

/** The columns that people see. */
export const factColumns = {
  uid: true,
  storageId: true,
  path: true,
  title: true,
  alternativeText: true,
  mediaType: true,
  bytes: true,
  width: true,
  height: true,
  checksum: true,
  contentSha256: true,
  createdByLabel: true,
  createdAt: true,
  modifiedAt: true,
  deletedAt: true,
} as const satisfies Prisma.AssetSelect

type Row = Prisma.AssetGetPayload<{ select: typeof factColumns }>

/** Returns what people see of an asset. */
export function factsOfAsset({
  createdAt,
  modifiedAt,
  deletedAt,
  contentSha256,
  ...row
}: Row): AssetFacts {
  return {
    ...row,
    shown: contentSha256 !== null && deletedAt === null && isShownInline(row),
    createdAt: createdAt.toISOString(),
    updatedAt: modifiedAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
  }
}

type Audited = 'path' | 'title' | 'alternativeText' | 'mediaType' | 'bytes' | 'checksum'

/** Returns what the audit stores of an asset. */
export function auditedAsset(
  { id: storageId, name: storage }: { id: string; name: string },
  { path, title, alternativeText, mediaType, bytes, checksum }: Pick<Row, Audited>,
) {
  return { storage, storageId, path, title, alternativeText, mediaType, bytes, checksum }
}

/** Returns an asset of a storage that is not deleted, with its storage. Throws NotFoundError. */
export async function requireAsset(client: Tx, input: { storageId: string; uid: string }) {
  const storage = await requireStorage(client, input.storageId)
  const uid = parseId(input.uid, 'This asset')
  const row = await client.asset.findFirst({
    where: { uid, storageId: storage.id, deletedAt: null },
    select: factColumns,
  })
  if (!row) throw new NotFoundError('This asset')
  return { storage, asset: row }
}

/** Returns one page of the assets of a storage, how many the filter leaves, and how many there are without it. */
export async function findAssets(client: Tx, storageId: string, filter: AssetFilter) {
  const { page, pageSize } = filter
  const where = whereOf(storageId, filter)
  const { key, direction } = sortParts<AssetSort>(filter.sort)
  const rows = await client.asset.findMany({
    where,
    orderBy: [{ [key]: direction }, { uid: 'asc' }],
    skip: (page - 1) * pageSize,
    take: pageSize,
    select: factColumns,
  })
  const total = await client.asset.count({ where })
  const { deletedAt } = where
  const whole = await client.asset.count({ where: { storageId, deletedAt } })
  return { rows: rows.map(factsOfAsset), total, whole }
}

function whereOf(storageId: string, { search, kind, described, deleted }: AssetFilter) {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '')
  return {
    storageId,
    deletedAt: deleted === 'yes' ? { not: null } : null,
    ...(kind && ofKind[kind]),
    ...(described && { alternativeText: described === 'no' ? '' : { not: '' } }),
    AND: words.map((word) => ({ OR: containing(word) })),
  } satisfies Prisma.AssetWhereInput
}

/** Returns the places where a word of a search may stand. */
function containing(word: string): Prisma.AssetWhereInput[] {
  const contains = { contains: likeText(word), mode: 'insensitive' } as const
  return [{ title: contains }, { path: contains }, { alternativeText: contains }]
}

/** Returns a text that a pattern of SQL takes as it is. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

const image = { startsWith: 'image/' }
const text = { startsWith: 'text/' }
const pdf = 'application/pdf'

const ofKind: Record<AssetKind, Prisma.AssetWhereInput> = {
  image: { mediaType: image },
  pdf: { mediaType: pdf },
  text: { mediaType: text },
  other: { NOT: [{ mediaType: image }, { mediaType: text }, { mediaType: pdf }] },
}

/** Does what gives an asset a path. Throws ConflictError beside `path` when another asset has it. */
export async function withFreePath<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError('Another asset of this storage has this path.', 'path')
  }
}

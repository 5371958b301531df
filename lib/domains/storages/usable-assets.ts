import { z } from 'zod'
import { usableBy } from '@/lib/domains/rows/group-access'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import type { Actor } from '@/lib/protocol/tool'
import { likeText } from './assets'
import { sumsOf } from './stored'

/** Columns of an asset that a person's tools see. */
const seenColumns = {
  uid: true,
  path: true,
  title: true,
  alternativeText: true,
  mediaType: true,
  bytes: true,
  width: true,
  height: true,
  checksum: true,
  createdAt: true,
  modifiedAt: true,
  storage: { select: { id: true, name: true } },
} as const satisfies Prisma.AssetSelect
export type SeenAsset = Prisma.AssetGetPayload<{ select: typeof seenColumns }>

/** Returns the storages that a person may use now, by name, each with the number of its assets and their bytes. */
export async function usableStorages(client: Tx, actor: Actor) {
  const rows = await client.storage.findMany({
    where: usableBy(actor),
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
  })
  const sums = await sumsOf(
    client,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, ...(sums.get(row.id) ?? { assets: 0, bytes: 0 }) }))
}

/** Returns an asset that a person may use now; null = there is none, or it is deleted or not theirs to use. */
export function findUsableAsset(client: Tx, actor: Actor, uid: string): Promise<SeenAsset | null> {
  return client.asset.findFirst({ where: usableAsset(actor, uid), select: seenColumns })
}

/** Returns the condition on an asset that a person may use now. */
export function usableAsset(actor: Actor, uid: string): Prisma.AssetWhereInput {
  return { uid, deletedAt: null, storage: usableBy(actor) }
}

/** Returns assets that a person may use now in which each word stands, by storage and path. `storageId` null = in all storages. */
export function findSeenAssets(
  client: Tx,
  actor: Actor,
  { words, storageId, take }: { words: readonly string[]; storageId: string | null; take: number },
): Promise<SeenAsset[]> {
  return client.asset.findMany({
    where: {
      deletedAt: null,
      storage: usableBy(actor),
      ...(storageId !== null && { storageId }),
      AND: words.map((word) => {
        const contains = { contains: likeText(word), mode: 'insensitive' } as const
        const places = ['title', 'path', 'alternativeText', 'mediaType']
        return { OR: places.map((place) => ({ [place]: contains })) }
      }),
    },
    orderBy: [{ storage: { name: 'asc' } }, { path: 'asc' }],
    take,
    select: seenColumns,
  })
}

const Entries = z.array(
  z.object({ name: z.string(), isFolder: z.boolean(), assets: z.int(), uid: z.string() }),
)

/** Direct contents of a folder: `folders` with the number of assets below each, and the assets. */
export type SeenFolder = {
  total: number
  folders: { name: string; assets: number }[]
  assets: SeenAsset[]
}

/** Returns what is directly in a folder of a storage, folders first; at most `most` entries. `path` "" = the storage itself. */
export async function browseAssets(
  client: Tx,
  { storageId, path, most }: { storageId: string; path: string; most: number },
): Promise<SeenFolder> {
  const prefix = path === '' ? '' : `${path}/`
  const grouped = Prisma.sql`
    SELECT split_part(rest, '/', 1) AS name, position('/' IN rest) > 0 AS "isFolder",
      count(*)::int AS assets, min(uid::text) AS uid
    FROM (SELECT uid, substr(path, char_length(${prefix}) + 1) AS rest FROM assets
      WHERE "storageId" = ${storageId}::uuid AND "deletedAt" IS NULL AND starts_with(path, ${prefix})) AS below
    GROUP BY 1, 2`
  const [{ total }] = Total.parse(
    await client.$queryRaw`SELECT count(*)::int AS total FROM (${grouped}) AS entries`,
  )
  const entries = Entries.parse(await client.$queryRaw`${grouped} ORDER BY 2 DESC, 1 LIMIT ${most}`)
  const uids = entries.filter(({ isFolder }) => !isFolder).map(({ uid }) => uid)
  const assets = await client.asset.findMany({
    where: { uid: { in: uids } },
    select: seenColumns,
    orderBy: { path: 'asc' },
  })
  const folders = entries.filter(({ isFolder }) => isFolder)
  return { total, folders: folders.map(({ name, assets: n }) => ({ name, assets: n })), assets }
}

const Total = z.tuple([z.object({ total: z.int() })])

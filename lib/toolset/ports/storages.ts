import 'server-only'
import { describeAsset } from '@/lib/domains/storages/describe-asset'
import {
  browseAssets,
  findSeenAssets,
  findUsableAsset,
  type SeenAsset,
  usableStorages,
} from '@/lib/domains/storages/usable-assets'
import type { ResourceCaller } from '@/lib/engines/tools/bind-tool'
import type { AssetMeta, StorageResources } from '@/lib/engines/tools/storage-resources'
import type { Tx } from '@/lib/kernel/db'

/** Returns the storages of this installation as tools of a run may use them at this moment (SPEC A2a). */
export function storageResources(tx: Tx, { actor, runId }: ResourceCaller): StorageResources {
  return {
    list: () => usableStorages(tx, actor),
    browse: async ({ id: storageId }, path, most) => {
      const folder = await browseAssets(tx, { storageId, path, most })
      if (folder.total === 0 && path !== '') return null
      return { ...folder, assets: folder.assets.map(metaOf) }
    },
    search: async ({ storage, words, most: take }) => {
      const wanted = { words, storageId: storage?.id ?? null, take }
      return (await findSeenAssets(tx, actor, wanted)).map(metaOf)
    },
    readMeta: async (uid) => {
      const asset = await findUsableAsset(tx, actor, uid)
      return asset && metaOf(asset)
    },
    textOf: async (uid) => (await findUsableAsset(tx, actor, uid))?.alternativeText ?? null,
    describe: (asset) => describeAsset(tx, { ...asset, actor, runId }),
  }
}

function metaOf({ storage, width, height, createdAt, modifiedAt, ...asset }: SeenAsset): AssetMeta {
  return {
    ...asset,
    storage: storage.name,
    pixels: width === null || height === null ? null : { width, height },
    createdAt: createdAt.toISOString(),
    modifiedAt: modifiedAt.toISOString(),
  }
}

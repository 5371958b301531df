import type { AssetMeta, StorageResources } from '@/lib/engines/tools/storage-resources'
import { matchesSearch } from '@/lib/words/matches-search'

/** Returns storages in memory, which hold these assets; all of them may be used. */
export function memoryStorages(assets: AssetMeta[] = []): StorageResources {
  const names = [...new Set(assets.map(({ storage }) => storage))].sort()
  const of = (storage: string) => assets.filter((asset) => asset.storage === storage)
  return {
    list: async () =>
      names.map((name) => ({ id: name, name, assets: of(name).length, bytes: 1_024 })),
    browse: async ({ name }, path, most) => {
      const prefix = path === '' ? '' : `${path}/`
      const below = of(name).filter((asset) => asset.path.startsWith(prefix))
      if (below.length === 0) return null
      const direct = below.filter((asset) => !asset.path.slice(prefix.length).includes('/'))
      return { total: direct.length, folders: [], assets: direct.slice(0, most) }
    },
    search: async ({ storage, words, most }) => {
      const all = storage ? of(storage.name) : assets
      return all
        .filter(({ title, path, alternativeText, mediaType }) =>
          matchesSearch(words.join(' '), [title, path, alternativeText, mediaType]),
        )
        .slice(0, most)
    },
    readMeta: async (uid) => assets.find((asset) => asset.uid === uid) ?? null,
    textOf: async (uid) => assets.find((asset) => asset.uid === uid)?.alternativeText ?? null,
    describe: async ({ uid, text }) => {
      const asset = assets.find((each) => each.uid === uid)
      if (asset) asset.alternativeText = text
      return asset !== undefined
    },
  }
}

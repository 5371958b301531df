/** The storages whose assets tools of the actor may find and describe, each asked at the moment of use. */
export type StorageResources = {
  /** By name. */
  list: () => Promise<UsableStorage[]>
  /** Returns the direct contents of a folder; `path` "": the storage itself. Null: no asset is below it. */
  browse: (storage: UsableStorage, path: string, most: number) => Promise<AssetFolder | null>
  /** Those in which each word stands, in any letter case; `storage` null = in all that may be used. */
  search: (query: {
    storage: UsableStorage | null
    words: readonly string[]
    most: number
  }) => Promise<AssetMeta[]>
  /** Null when there is no such asset or this actor may not see it: the caller cannot tell which. */
  readMeta: (uid: string) => Promise<AssetMeta | null>
  /** The alternative text as it is stored, "" = none; null as for `readMeta`. */
  textOf: (uid: string) => Promise<string | null>
  /** Sets the alternative text. False = there is no such asset, or this actor may not use it. */
  describe: (asset: { uid: string; text: string; callId: string }) => Promise<boolean>
}

/** `assets`: how many it has; `bytes`: of all of them. */
export type UsableStorage = { id: string; name: string; assets: number; bytes: number }

/** `assets` of a folder: how many are below it. `total`: the number of entries, also those beyond the limit. */
type AssetFolder = {
  total: number
  folders: { name: string; assets: number }[]
  assets: AssetMeta[]
}

/**
 * Facts about an asset. Its texts are as people wrote them: the tool must hide secrets. `pixels` null: it is no image,
 * or its size is unknown.
 */
export type AssetMeta = {
  uid: string
  storage: string
  path: string
  title: string
  alternativeText: string
  mediaType: string
  bytes: number
  pixels: { width: number; height: number } | null
  /** SHA-256 of the bytes, hexadecimal. */
  checksum: string
  createdAt: string
  modifiedAt: string
}

import { z } from 'zod'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import {
  auditedAsset,
  factsOfAsset,
  findAssets,
  requireAsset,
  requireStorage,
  withFreePath,
} from './assets'
import { storages } from './shape'
import { AssetChanges, AssetFacts, AssetFilter } from './shared/asset-schemas'

const One = z.object({ storageId: z.string(), uid: z.string() })

const reading = { role: 'admin', scope: storages.scopes.read, transaction: false } as const
const writing = { role: 'admin', scope: storages.scopes.write, reason: 'optional' } as const

export const listAssets = verb({
  ...reading,
  name: 'asset.list',
  summary: 'Lists the assets of a storage.',
  input: AssetFilter.extend({ storageId: z.string() }),
  output: z.object({
    assets: z.array(AssetFacts),
    total: z.int(),
    whole: z.int(),
    page: z.int(),
    pageSize: z.int(),
  }),
  run: async (_context, { storageId, ...filter }) => {
    const { id } = await requireStorage(db(), storageId)
    const { rows, total, whole } = await findAssets(db(), id, filter)
    return { assets: rows, total, whole, page: filter.page, pageSize: filter.pageSize }
  },
})

export const readAsset = verb({
  ...reading,
  name: 'asset.read',
  summary: 'Returns what is known about an asset.',
  input: One,
  output: AssetFacts,
  run: async (_context, input) => factsOfAsset((await requireAsset(db(), input)).asset),
})

export const changeAsset = verb({
  ...writing,
  name: 'asset.update',
  summary:
    'Changes the title, the alternative text or the path of an asset. Fields that are left out stay.',
  input: One.extend({
    ...AssetChanges.shape,
    updatedAt: z.string().optional().meta({
      description:
        'When the asset was changed last, as far as the caller knows. 409 if somebody changed it since.',
    }),
  }),
  run: async ({ tx }, { storageId, uid, updatedAt, ...changes }) => {
    const { storage, asset } = await requireAsset(tx, { storageId, uid })
    if (updatedAt !== undefined && updatedAt !== asset.modifiedAt.toISOString()) throw stale()
    const after = { ...asset, ...changes }
    const [was, is] = [auditedAsset(storage, asset), auditedAsset(storage, after)]
    if (JSON.stringify(was) === JSON.stringify(is)) return unchanged(undefined)
    const where = { uid: asset.uid, deletedAt: null, modifiedAt: asset.modifiedAt }
    const data = { ...changes, modifiedAt: new Date() }
    const { count } = await withFreePath(() => tx.asset.updateMany({ where, data }))
    if (count === 0) throw stale()
    return changed(undefined, { subject: asset.uid, before: was, after: is })
  },
})

export const deleteAsset = verb({
  ...writing,
  name: 'asset.delete',
  summary: 'Deletes an asset. It can be restored for 30 days; then its bytes are removed.',
  input: One,
  run: async ({ tx }, input) => {
    const { storage, asset } = await requireAsset(tx, input)
    const where = { uid: asset.uid, deletedAt: null }
    const { count } = await tx.asset.updateMany({ where, data: { deletedAt: new Date() } })
    if (count === 0) throw new NotFoundError('This asset')
    const before = auditedAsset(storage, asset)
    return changed(undefined, { subject: asset.uid, before, after: null })
  },
})

export const restoreAsset = verb({
  ...writing,
  name: 'asset.restore',
  summary: 'Restores a deleted asset. 409 when another asset has its path by now.',
  input: One,
  run: async ({ tx }, input) => {
    const storage = await requireStorage(tx, input.storageId)
    const uid = parseId(input.uid, 'This asset')
    const asset = await tx.asset.findFirst({
      where: { uid, storageId: storage.id, deletedAt: { not: null } },
    })
    if (!asset) throw new NotFoundError('This deleted asset')
    const where = { uid, deletedAt: { not: null } }
    const { count } = await withFreePath(() =>
      tx.asset.updateMany({ where, data: { deletedAt: null } }),
    )
    if (count === 0) throw new NotFoundError('This deleted asset')
    const after = auditedAsset(storage, asset)
    return changed(undefined, { subject: uid, before: null, after })
  },
})

function stale(): ConflictError {
  return new ConflictError(
    'Somebody changed this asset in the meantime. Reload it, then change it again.',
  )
}

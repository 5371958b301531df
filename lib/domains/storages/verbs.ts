import { linked, relinked } from '@/lib/domains/rows/group-access'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { storages } from './shape'
import { findStorage, readStorages } from './stored'

/** The operations on storages. */
export const storageVerbs = resourceVerbs(storages, {
  summaries: {
    create: 'Adds a storage, which has files (assets) that tools may find and describe.',
    update: 'Changes a storage, or switches it. Fields that are left out stay.',
    remove: 'Deletes a storage with all of its assets for good.',
    list: 'Lists storages, each with the number of its assets and their bytes.',
    read: 'Returns one storage.',
  },
  most: 100,
  rows: readStorages,
  store: {
    count: (client) => client.storage.count(),
    find: findStorage,
    insert: (tx, values) => tx.storage.create({ data: linked(values) }),
    write: (tx, id, changes) => tx.storage.update({ where: { id }, data: relinked(changes) }),
    remove: ({ tx }, { id }) => tx.storage.delete({ where: { id } }),
  },
  needsReauthentication: true,
  lost: sums,
  listed: sums,
  orders: { assets: ({ assets }) => assets, bytes: ({ bytes }) => bytes },
})

function sums({ assets, bytes }: { assets: number; bytes: number }) {
  return { assets, bytes }
}

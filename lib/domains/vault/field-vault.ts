import type { FieldVault } from '@/lib/edge/resource-options'
import { replaceSecret, storeSecret } from './secrets'

/** Stores the secrets of resources. Nothing of them is ever shown. */
export const fieldVault: FieldVault = {
  keep: async (tx, purpose, id, plaintext) => {
    if (plaintext === null) {
      if (id !== null) await fieldVault.remove(tx, [id])
      return null
    }
    if (id === null) return (await storeSecret(tx, { purpose, plaintext, hidden: true })).id
    await replaceSecret(tx, id, plaintext, { hidden: true })
    return id
  },
  remove: async (tx, ids) => {
    await tx.vaultSecret.deleteMany({ where: { id: { in: ids } } })
  },
}

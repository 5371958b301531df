import { makeChange } from '@/lib/edge/verb'
import { type Tx, withTransaction } from '@/lib/kernel/db'
import type { Actor } from '@/lib/protocol/tool'
import { auditedAsset } from './assets'
import { findUsableAsset, usableAsset } from './usable-assets'

/** Text that a call of a tool writes to an asset, and the person of the call. */
type Description = { actor: Actor; uid: string; text: string; runId: string; callId: string }

/**
 * Sets the alternative text of an asset for a run of a person, who must be allowed to use it in this transaction. Returns whether
 * there is such an asset.
 */
export function describeAsset(
  client: Tx,
  { actor, uid, text, runId, callId }: Description,
): Promise<boolean> {
  const by = { actor, via: 'system', ipAddress: null } as const
  return makeChange(
    async (tx) => {
      const asset = await findUsableAsset(tx, actor, uid)
      if (!asset) return { output: false, changes: [] }
      if (asset.alternativeText === text) return { output: true, changes: [] }
      const { count } = await tx.asset.updateMany({
        where: { ...usableAsset(actor, uid), alternativeText: asset.alternativeText },
        data: { alternativeText: text, modifiedAt: new Date() },
      })
      if (count === 0) return { output: false, changes: [] }
      const before = auditedAsset(asset.storage, asset)
      const after = { ...before, alternativeText: text, runId, callId }
      const change = { by, action: 'asset.describe', subject: uid, before, after } as const
      return { output: true, changes: [change] }
    },
    (work) => withTransaction(work, client),
  )
}

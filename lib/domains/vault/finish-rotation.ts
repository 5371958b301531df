import type { Ctx } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { recordAudit } from '../audit/record-audit'
import type { RotationKeys } from './begin-rotation'
import { canaryKey, newCanary } from './canary'
import { lockVaultExclusive, rotationKey } from './rotation'

type Finish = RotationKeys & { unreadable: readonly string[]; reason: string }

/** Lets the canary follow once nothing is left that the old key sealed; false = something is. */
export async function finishRotation(
  ctx: Ctx,
  { from, to, unreadable, reason }: Finish,
): Promise<boolean> {
  return withTransaction(async (tx) => {
    await lockVaultExclusive(tx)
    const left = await tx.vaultSecret.findMany({
      where: { keyVersion: { not: to.keyVersion } },
      select: { id: true },
    })
    if (left.some(({ id }) => !unreadable.includes(id))) return false
    await tx.setting.update({ where: { key: canaryKey }, data: { value: newCanary(to) } })
    await tx.setting.delete({ where: { key: rotationKey } })
    await recordAudit(tx, ctx, {
      action: 'vault.finish-rotation',
      objectType: 'vault',
      objectId: null,
      before: { keyVersion: from.keyVersion },
      after: { keyVersion: to.keyVersion, unreadable },
      reason,
    })
    return true
  })
}

import { type Ctx, requireRole } from '../../kernel/context'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { recordAudit } from '../audit/record-audit'
import { freezeKey } from './read-freeze'
import { UnfreezeSite } from './schemas'

/** Lets runs and calls start again; what the freeze ended stays ended. False when the site was not frozen. Admins only. */
export async function unfreezeSite(ctx: Ctx, input: UnfreezeSite): Promise<boolean> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(UnfreezeSite, input)
  return changePolicy(async (tx) => {
    const before = await tx.setting.findUnique({ where: { key: freezeKey } })
    if (!before) return false
    await tx.setting.delete({ where: { key: freezeKey } })
    await recordAudit(tx, ctx, {
      action: 'site.unfreeze',
      objectType: 'site',
      objectId: null,
      before: before.value,
      reason,
    })
    return true
  })
}

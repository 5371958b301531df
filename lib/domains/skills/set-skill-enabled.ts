import { type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { requireSkill } from './require-skill'

/**
 * Switches a skill on or off wherever it is attached. False when it stood so already. Runs that are going keep what
 * they were sent; what they may call only ever gets narrower (SPEC G-X). Admins only.
 */
export async function setSkillEnabled(
  ctx: Ctx,
  skillId: string,
  enabled: boolean,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const { id, name } = await requireSkill(tx, skillId)
    const { count } = await tx.skill.updateMany({
      where: { id, enabled: !enabled },
      data: { enabled },
    })
    if (count === 0) return false
    await recordAudit(tx, ctx, {
      action: enabled ? 'skill.switch-on' : 'skill.switch-off',
      objectType: 'skill',
      objectId: id,
      before: { name, enabled: !enabled },
      after: { name, enabled },
    })
    return true
  })
}

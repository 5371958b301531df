import { authorId, type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { changePolicy } from '../../kernel/locks'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { SetToolGroup } from './schemas'

/**
 * Switches a whole group of tools off, with a reason, or lets its tools' own switches count again. Once this resolves,
 * no call that the new answer forbids starts in any process (SPEC section 4, gate 3; G-F). Switching on what is on
 * changes nothing. Whether the group exists is the caller's to check. Admins only.
 */
export async function setToolGroup(ctx: Ctx, input: SetToolGroup): Promise<void> {
  requireRole(ctx, 'admin')
  const { toolGroup, enabled, reason } = parseInput(SetToolGroup, input)
  await changePolicy(async (tx) => {
    const before = await tx.toolGroupOff.findUnique({ where: { toolGroup } })
    if (enabled && !before) return
    await (enabled
      ? tx.toolGroupOff.delete({ where: { toolGroup } })
      : switchOff(tx, ctx, toolGroup, reason))
    await recordAudit(tx, ctx, {
      action: enabled ? 'tool-group.switch-on' : 'tool-group.switch-off',
      objectType: 'tool-group',
      objectId: toolGroup,
      before: { enabled: !before, ...(before && { reason: before.reason }) },
      after: { enabled, ...(!enabled && { reason }) },
      reason,
    })
  })
}

function switchOff(tx: Tx, ctx: Ctx, toolGroup: string, reason: string) {
  const off = {
    reason,
    changedBy: authorId(ctx),
    changedByLabel: ctx.actor.email,
    changedAt: new Date(),
  }
  return tx.toolGroupOff.upsert({
    where: { toolGroup },
    create: { toolGroup, ...off },
    update: off,
  })
}

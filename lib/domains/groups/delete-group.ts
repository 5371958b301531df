import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'

/**
 * Deletes a group: its members lose the configurations no other group of theirs opens, and runs with them end
 * (SPEC G-R).
 * The audit keeps who and what was in it. Admins only.
 */
export async function deleteGroup(
  ctx: Ctx,
  groupId: string,
  input: WithReason = {},
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(groupId, 'The group')
  const { reason } = parseInput(WithReason, input)
  await changePolicy(async (tx) => {
    const before = await readWhole(tx, id)
    await closeConfigurations(tx, ctx, id, before.name)
    await tx.group.delete({ where: { id } })
    await recordAudit(tx, ctx, {
      action: 'group.delete',
      objectType: 'group',
      objectId: id,
      before,
      reason,
    })
  })
}

/** Taken away one by one, so that each configuration keeps a version that says so. */
async function closeConfigurations(tx: Tx, ctx: Ctx, groupId: string, name: string): Promise<void> {
  const open = await tx.configurationGroup.findMany({ where: { groupId } })
  for (const { configurationId } of open) {
    const change = { configurationId, note: `The group ${name} was deleted.` }
    await changeConfiguration(tx, ctx, change, () =>
      tx.configurationGroup.deleteMany({ where: { configurationId, groupId } }),
    )
  }
}

async function readWhole(tx: Tx, id: string) {
  // Locked first, so that nobody joins between what is written down and what is deleted.
  await tx.$queryRaw`SELECT 1 FROM groups WHERE id = ${id}::uuid FOR UPDATE`
  const group = await tx.group.findUnique({
    where: { id },
    include: {
      members: { select: { user: { select: { email: true } } } },
      configurations: { select: { configuration: { select: { identifier: true } } } },
    },
  })
  if (!group) throw new NotFoundError('The group')
  return {
    name: group.name,
    description: group.description,
    members: group.members.map(({ user }) => user.email).toSorted(),
    configurations: group.configurations
      .map(({ configuration }) => configuration.identifier)
      .toSorted(),
  }
}

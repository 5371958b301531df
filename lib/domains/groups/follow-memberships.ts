import type { OtherChange } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import type { PolicyTx, Tx } from '@/lib/kernel/db'

type Mapped = { decided: string[]; wanted: string[] }

/** Returns the groups that a person would join and leave, without changing anything. */
export async function membershipChanges(tx: Tx, userId: string, { decided, wanted }: Mapped) {
  const groups = await tx.group.findMany({
    where: { name: { in: decided } },
    include: { members: { where: { userId } } },
  })
  const isWanted = new Set(wanted)
  return {
    joins: groups.filter(({ name, members }) => isWanted.has(name) && members.length === 0),
    leaves: groups.filter(({ name, members }) => !isWanted.has(name) && members.length > 0),
  }
}

/**
 * Puts a person into the groups the identity provider wants, and takes them out of those it decides about and does not
 * want; all other groups stay. Names that no group has are left out. Audited when it changes anything.
 */
export async function followMemberships(
  tx: PolicyTx,
  by: Ctx,
  userId: string,
  mapped: Mapped,
): Promise<OtherChange[]> {
  if (mapped.decided.length === 0) return []
  const { joins, leaves } = await membershipChanges(tx, userId, mapped)
  if (joins.length + leaves.length === 0) return []
  await tx.groupMember.createMany({
    data: joins.map(({ id }) => ({ groupId: id, userId })),
    skipDuplicates: true,
  })
  await tx.groupMember.deleteMany({
    where: { userId, groupId: { in: leaves.map(({ id }) => id) } },
  })
  const before = { left: leaves.map(({ name }) => name) }
  const after = { joined: joins.map(({ name }) => name) }
  return [{ by, action: 'user.follow-provider-groups', subject: userId, before, after }]
}

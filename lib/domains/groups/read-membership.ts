import type { Group, User } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'

type Membership = { group: Group; user: User; key: { groupId: string; userId: string } }

/** Both sides of a membership, whether it is there or not. NotFoundError when either is missing. */
export async function readMembership(tx: Tx, groupId: string, userId: string): Promise<Membership> {
  const key = { groupId: parseId(groupId, 'The group'), userId: parseId(userId, 'The user') }
  const group = await tx.group.findUnique({ where: { id: key.groupId } })
  if (!group) throw new NotFoundError('The group')
  const user = await tx.user.findFirst({ where: { id: key.userId, deletedAt: null } })
  if (!user) throw new NotFoundError('The user')
  return { group, user, key }
}

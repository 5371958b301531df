import { z } from 'zod'
import type { Group, User } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import { isUniqueViolation, type PolicyTx, type Tx, undeciding } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { changePolicy } from '../../kernel/policy-lock'
import { changed, unchanged, verb } from '../../kernel/verb'
import { changeConfiguration } from '../rows/configuration-history'
import { CreateGroup, UpdateGroup } from './schemas'

/** Throws ConflictError when the name is taken. */
export const createGroup = verb({
  name: 'group.create',
  role: 'admin',
  scope: null,
  summary: 'Adds a group without members.',
  input: CreateGroup,
  output: z.object({ id: z.string() }),
  run: async ({ tx }, facts) => {
    const { id } = await tx.group.create({ data: facts }).catch(explainTaken)
    return changed({ id }, { subject: id, after: facts })
  },
})

/** Throws ConflictError when the name is taken. */
export const updateGroup = verb({
  name: 'group.update',
  role: 'admin',
  scope: null,
  summary: 'Renames or describes a group.',
  input: UpdateGroup,
  run: async ({ tx }, { groupId, ...change }) => {
    const id = parseId(groupId, 'The group')
    const before = await tx.group.findUnique({ where: { id } })
    if (!before) throw new NotFoundError('The group')
    const { group } = undeciding(tx, 'a name or a description')
    const after = await group.update({ where: { id }, data: change }).catch(explainTaken)
    return changed(undefined, {
      subject: id,
      before: { name: before.name, description: before.description },
      after: { name: after.name, description: after.description },
    })
  },
})

function explainTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw new ConflictError('Another group has this name.', 'name')
  throw error
}

/**
 * Deletes a group. Its members lose the configurations that no other group of theirs may use, and runs with them end
 * (SPEC G-R). The audit stores its members and configurations.
 */
export const deleteGroup = verb({
  name: 'group.delete',
  role: 'admin',
  scope: null,
  summary: 'Deletes a group.',
  reason: 'optional',
  input: z.object({ groupId: z.string() }),
  transaction: changePolicy,
  run: async ({ ctx, tx }, { groupId }) => {
    const id = parseId(groupId, 'The group')
    const before = await readWhole(tx, id)
    await closeConfigurations(tx, ctx, id, before.name)
    await tx.group.delete({ where: { id } })
    return changed(undefined, { subject: id, before })
  },
})

/** Removes the group from its configurations one by one, so that each stores a version that says so. */
async function closeConfigurations(
  tx: PolicyTx,
  ctx: Ctx,
  groupId: string,
  name: string,
): Promise<void> {
  const open = await tx.configurationGroup.findMany({ where: { groupId } })
  for (const { configurationId } of open) {
    const change = { configurationId, note: `The group ${name} was deleted.` }
    await changeConfiguration(tx, ctx, change, () =>
      tx.configurationGroup.deleteMany({ where: { configurationId, groupId } }),
    )
  }
}

async function readWhole(tx: Tx, id: string) {
  // Locked first, so that nobody joins between the audit entry and the deletion.
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

const Member = z.object({ groupId: z.string(), userId: z.string() })

/** Returns false when they are a member already. Throws NotFoundError when there is no such group or account. */
export const addGroupMember = verb({
  name: 'group.add-member',
  role: 'admin',
  scope: null,
  summary: 'Lets a person use what a group may use.',
  input: Member,
  output: z.boolean(),
  transaction: changePolicy,
  run: async ({ tx }, input) => {
    const { group, user, key } = await readMembership(tx, input)
    const { count } = await tx.groupMember.createMany({ data: [key], skipDuplicates: true })
    if (count === 0) return unchanged(false)
    const after = { group: group.name, userId: key.userId, email: user.email }
    return changed(true, { subject: key.groupId, after })
  },
})

/**
 * Removes a member and ends their runs with what only this group opens (SPEC G-R). Returns false when they were no
 * member. Throws NotFoundError when there is no such group or account.
 */
export const removeGroupMember = verb({
  name: 'group.remove-member',
  role: 'admin',
  scope: null,
  summary: 'Takes a person out of a group.',
  reason: 'optional',
  input: Member,
  output: z.boolean(),
  transaction: changePolicy,
  run: async ({ tx }, input) => {
    const { group, user, key } = await readMembership(tx, input)
    const { count } = await tx.groupMember.deleteMany({ where: key })
    if (count === 0) return unchanged(false)
    const before = { group: group.name, userId: key.userId, email: user.email }
    return changed(true, { subject: key.groupId, before })
  },
})

type Membership = { group: Group; user: User; key: { groupId: string; userId: string } }

/** Returns both sides of a membership, whether it exists or not. NotFoundError when either side is missing. */
async function readMembership(
  tx: Tx,
  { groupId, userId }: z.output<typeof Member>,
): Promise<Membership> {
  const key = { groupId: parseId(groupId, 'The group'), userId: parseId(userId, 'The user') }
  const group = await tx.group.findUnique({ where: { id: key.groupId } })
  if (!group) throw new NotFoundError('The group')
  const user = await tx.user.findFirst({ where: { id: key.userId, deletedAt: null } })
  if (!user) throw new NotFoundError('The user')
  return { group, user, key }
}

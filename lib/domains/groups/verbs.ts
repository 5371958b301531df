import { z } from 'zod'
import { changeConfiguration } from '@/lib/domains/rows/configuration-history'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import type { Group, User } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { PolicyTx, Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { countOf } from '@/lib/words/format'
import { pageGroups, readGroup } from './reads'
import { groups } from './shape'

/**
 * The operations on groups. When one is deleted, its members lose the configurations that no other group of theirs may
 * use, and runs with them end (SPEC G-R).
 */
export const groupVerbs = resourceVerbs(groups, {
  summaries: {
    create: 'Adds a group without members.',
    update: 'Renames or describes a group.',
    remove: 'Deletes a group.',
    list: 'Lists groups, each with its members and the configurations that they may use.',
    read: 'Returns one group with its members and the configurations that they may use.',
  },
  changesPolicy: ['update', 'remove'],
  mayEndApproval: ['remove'],
  page: pageGroups,
  store: {
    count: (client) => client.group.count(),
    find: readGroup,
    insert: (tx, data) => tx.group.create({ data }),
    write: (tx, id, data) => tx.group.update({ where: { id }, data }),
    remove: async ({ ctx, tx }, { id, name }) => {
      await requireNoRules(tx, id)
      await closeConfigurations(tx, ctx, id, name)
      await tx.group.delete({ where: { id } })
    },
  },
  lost: named,
  listed: named,
  detail: ({ people, opens, limits }) => ({ people, opens, limits }),
})

type Stored = NonNullable<Awaited<ReturnType<typeof readGroup>>>

/** Returns what the members and configurations of a group are called. */
function named({ people, opens }: Stored) {
  return {
    members: people.map(({ email }) => email),
    configurations: opens.map(({ identifier }) => identifier).toSorted(),
  }
}

/** Throws ConflictError while a rule is about the group: without it, the rule would be about nobody or everybody. */
async function requireNoRules(tx: Tx, groupId: string): Promise<void> {
  const rules = await tx.approvalRule.findMany({ where: { groupId }, select: { name: true } })
  const [first, ...others] = rules.map(({ name }) => name).toSorted()
  if (first === undefined) return
  const more = others.length > 0 ? ` and ${countOf(others.length, 'other rule')}` : ''
  throw new ConflictError(
    `The rule "${first}"${more} names this group. Change or delete what names it first.`,
  )
}

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

const Member = z.object({ groupId: z.string(), userId: z.string() })

/** Returns false when they are a member already. Throws NotFoundError when there is no such group or account. */
export const addGroupMember = verb({
  name: 'group.add-member',
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary: 'Lets a person use what a group may use.',
  input: Member,
  needsReauthentication: () => true,
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
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary: 'Takes a person out of a group.',
  reason: 'optional',
  input: Member,
  needsReauthentication: () => true,
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

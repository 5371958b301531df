'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { allowGroup } from '@/lib/domains/configurations/allow-group'
import { addGroupMember } from '@/lib/domains/groups/add-group-member'
import { createGroup } from '@/lib/domains/groups/create-group'
import { deleteGroup } from '@/lib/domains/groups/delete-group'
import { removeGroupMember } from '@/lib/domains/groups/remove-group-member'
import { CreateGroup, UpdateGroup } from '@/lib/domains/groups/schemas'
import { updateGroup } from '@/lib/domains/groups/update-group'
import { pageUsers } from '@/lib/domains/users/page-users'
import { UserFilter } from '@/lib/domains/users/schemas'
import { customAction } from '@/lib/kernel/action'

const id = z.string().max(100)
const OneGroup = z.object({ groupId: id })

export const addGroup = customAction(CreateGroup, 'admin', async (ctx, input) => {
  const answer = await createGroup(ctx, input)
  revalidatePath('/groups')
  return answer
})

export const changeGroup = customAction(
  OneGroup.extend(UpdateGroup.shape),
  'admin',
  (ctx, input) => {
    const { groupId, ...change } = input
    return updateGroup(ctx, groupId, change)
  },
)

export const removeGroup = customAction(
  OneGroup.extend(WithReason.shape),
  'admin',
  async (ctx, { groupId, reason }) => {
    await deleteGroup(ctx, groupId, { reason })
    revalidatePath('/groups')
  },
)

export const setMember = customAction(
  OneGroup.extend({ userId: id, member: z.boolean(), ...WithReason.shape }),
  'admin',
  (ctx, { groupId, userId, member, reason }) =>
    member
      ? addGroupMember(ctx, groupId, userId)
      : removeGroupMember(ctx, groupId, userId, { reason }),
)

export const setConfiguration = customAction(
  OneGroup.extend({ configurationId: id, allowed: z.boolean(), ...WithReason.shape }),
  'admin',
  (ctx, { groupId, configurationId, allowed, reason }) =>
    allowGroup(ctx, configurationId, groupId, allowed, { reason }),
)

/** Finds people to add by name or e-mail address, a few at a time. */
export const findPeople = customAction(
  z.object({ search: z.string().trim().max(200) }),
  'admin',
  async (ctx, { search }) => {
    const { rows, total } = await pageUsers(ctx, UserFilter.parse({ search, pageSize: 8 }))
    return { rows: rows.map(({ id: userId, name, email }) => ({ id: userId, name, email })), total }
  },
)

'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { action } from '@/lib/action'
import { WithReason } from '@/lib/audit/audit-reason'
import { allowGroup } from '@/lib/configurations/allow-group'
import { addGroupMember } from '@/lib/groups/add-group-member'
import { createGroup } from '@/lib/groups/create-group'
import { deleteGroup } from '@/lib/groups/delete-group'
import { removeGroupMember } from '@/lib/groups/remove-group-member'
import { CreateGroup, UpdateGroup } from '@/lib/groups/schemas'
import { updateGroup } from '@/lib/groups/update-group'
import { pageUsers } from '@/lib/users/page-users'
import { UserFilter } from '@/lib/users/schemas'

const id = z.string().max(100)
const OneGroup = z.object({ groupId: id })

export const addGroup = action(CreateGroup, 'admin', async (ctx, input) => {
  const answer = await createGroup(ctx, input)
  revalidatePath('/groups')
  return answer
})

export const changeGroup = action(OneGroup.extend(UpdateGroup.shape), 'admin', (ctx, input) => {
  const { groupId, ...change } = input
  return updateGroup(ctx, groupId, change)
})

export const removeGroup = action(
  OneGroup.extend(WithReason.shape),
  'admin',
  async (ctx, { groupId, reason }) => {
    await deleteGroup(ctx, groupId, { reason })
    revalidatePath('/groups')
  },
)

export const setMember = action(
  OneGroup.extend({ userId: id, member: z.boolean(), ...WithReason.shape }),
  'admin',
  (ctx, { groupId, userId, member, reason }) =>
    member
      ? addGroupMember(ctx, groupId, userId)
      : removeGroupMember(ctx, groupId, userId, { reason }),
)

export const setConfiguration = action(
  OneGroup.extend({ configurationId: id, allowed: z.boolean(), ...WithReason.shape }),
  'admin',
  (ctx, { groupId, configurationId, allowed, reason }) =>
    allowGroup(ctx, configurationId, groupId, allowed, { reason }),
)

/** Finds people to add by name or e-mail address, a few at a time. */
export const findPeople = action(
  z.object({ search: z.string().trim().max(200) }),
  'admin',
  async (ctx, { search }) => {
    const { rows, total } = await pageUsers(ctx, UserFilter.parse({ search, pageSize: 8 }))
    return { rows: rows.map(({ id: userId, name, email }) => ({ id: userId, name, email })), total }
  },
)

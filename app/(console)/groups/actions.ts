'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { action } from '@/lib/action'
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

export const removeGroup = action(OneGroup, 'admin', async (ctx, { groupId }) => {
  await deleteGroup(ctx, groupId)
  revalidatePath('/groups')
})

export const setMember = action(
  OneGroup.extend({ userId: id, member: z.boolean() }),
  'admin',
  (ctx, { groupId, userId, member }) =>
    member ? addGroupMember(ctx, groupId, userId) : removeGroupMember(ctx, groupId, userId),
)

export const setConfiguration = action(
  OneGroup.extend({ configurationId: id, allowed: z.boolean() }),
  'admin',
  (ctx, { groupId, configurationId, allowed }) =>
    allowGroup(ctx, configurationId, groupId, allowed),
)

/** For the search field of who to add; a few at a time. */
export const findPeople = action(
  z.object({ search: z.string().trim().max(200) }),
  'admin',
  async (ctx, { search }) => {
    const { rows, total } = await pageUsers(ctx, UserFilter.parse({ search, pageSize: 8 }))
    return { rows: rows.map(({ id: userId, name, email }) => ({ id: userId, name, email })), total }
  },
)

import { findGroup, listGroups, readGroup } from '@/lib/domains/groups/reads'
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  removeGroupMember,
  updateGroup,
} from '@/lib/domains/groups/verbs'
import { findUser } from '@/lib/domains/users/reads'
import type { Ctx } from '@/lib/kernel/context'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'

export type CreateGroupOptions = CommonOptions & { name: string; description?: string }
export type ChangeGroupOptions = CommonOptions & { name?: string; description?: string }
export type MemberOptions = CommonOptions & { group: string; user: string }

export async function printGroups(options: CommonOptions): Promise<void> {
  const groups = await listGroups(await actingCtx(options.as))
  if (options.json) return printJson(groups)
  printTable(
    ['NAME', 'MEMBERS', 'CONFIGURATIONS'],
    groups.map(({ name, members, configurations }) => [
      name,
      members.join(', ') || 'none',
      configurations.join(', ') || 'none',
    ]),
  )
}

export async function addGroup(options: CreateGroupOptions): Promise<void> {
  const { name, description } = options
  const { id } = await createGroup(await actingCtx(options.as), { name, description })
  if (options.json) return printJson({ id, name })
  printLine(`Added the group (${id}).`)
}

/** Changes a group. `group` is its current name or id. */
export async function changeGroup(
  group: string,
  { name, description, ...options }: ChangeGroupOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findGroup(ctx, group)
  await updateGroup(ctx, { groupId: id, name, description })
  const now = await readGroup(ctx, id)
  if (options.json) return printJson({ id, name: now.name, description: now.description })
  printLine('Changed the group.')
}

export async function removeGroup(group: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findGroup(ctx, group)
  await deleteGroup(ctx, { groupId: id })
  if (options.json) return printJson({ id, deleted: true })
  printLine('Deleted the group.')
}

export async function addMember(options: MemberOptions): Promise<void> {
  const { ctx, groupId, user } = await readMembership(options)
  const changed = await addGroupMember(ctx, { groupId, userId: user.id })
  if (options.json) return printJson({ groupId, userId: user.id, member: true, changed })
  printLine(`${user.email} is ${changed ? 'now' : 'already'} in the group.`)
}

export async function removeMember(options: MemberOptions): Promise<void> {
  const { ctx, groupId, user } = await readMembership(options)
  const changed = await removeGroupMember(ctx, { groupId, userId: user.id })
  if (options.json) return printJson({ groupId, userId: user.id, member: false, changed })
  printLine(`${user.email} ${changed ? 'is no longer' : 'was not'} in the group.`)
}

type Membership = { ctx: Ctx; groupId: string; user: { id: string; email: string } }

async function readMembership(options: MemberOptions): Promise<Membership> {
  const ctx = await actingCtx(options.as)
  const { id: groupId } = await findGroup(ctx, options.group)
  return { ctx, groupId, user: await findUser(ctx, options.user) }
}

import type { Command } from 'commander'
import type { Ctx } from '@/lib/kernel/context'
import { command } from '../command'
import { printTable } from '../print'

const reads = () => import('@/lib/domains/groups/reads')
const verbs = () => import('@/lib/domains/groups/verbs')

const example = `
Members may use the configurations of their groups; admins may use all:
  toolgate group add --name Editors
  toolgate group add-member --group Editors --user ana@example.org
  toolgate configuration allow --configuration mini --group Editors`

type FactOptions = { name?: string; description?: string }
type MemberOptions = { group: string; user: string }

const named = { '<group>': 'name or id of the group' }

export function addGroupCommands(program: Command): void {
  const group = program
    .command('group')
    .description('groups of people and the configurations they may use')
    .addHelpText('after', example)
  command(group, 'list', {
    description: 'list the groups with their members and configurations',
    work: async ({ ctx }) => {
      const groups = await (await reads()).listGroups(ctx)
      const rows = groups.map(({ name, members, configurations }) => [
        name,
        members.join(', ') || 'none',
        configurations.join(', ') || 'none',
      ])
      const text = () => printTable(['NAME', 'MEMBERS', 'CONFIGURATIONS'], rows)
      return { json: groups, text }
    },
  })
  command<FactOptions & { name: string }>(group, 'add', {
    alias: 'create',
    description: 'add a group',
    options: (made) =>
      made
        .requiredOption('--name <name>', 'name of the group')
        .option('--description <text>', 'purpose of the group'),
    work: async ({ ctx, options: { name, description } }) => {
      const { id } = await (await verbs()).createGroup(ctx, { name, description })
      return { json: { id, name }, text: `Added the group (${id}).` }
    },
  })
  command<FactOptions>(group, 'edit', {
    alias: 'change',
    description: 'change the name or the description of a group',
    args: named,
    options: (made) =>
      made
        .option('--name <name>', 'new name')
        .option('--description <text>', 'purpose of the group'),
    work: async ({ ctx, args: [given = ''], options: { name, description } }) => {
      const { findGroup, readGroup } = await reads()
      const { id } = await findGroup(ctx, given)
      await (await verbs()).updateGroup(ctx, { groupId: id, name, description })
      const now = await readGroup(ctx, id)
      const json = { id, name: now.name, description: now.description }
      return { json, text: 'Changed the group.' }
    },
  })
  command(group, 'delete', {
    description: 'delete a group; its members lose the configurations that only this group allows',
    args: named,
    work: async ({ ctx, args: [given = ''] }) => {
      const { id } = await (await reads()).findGroup(ctx, given)
      await (await verbs()).deleteGroup(ctx, { groupId: id })
      return { json: { id, deleted: true }, text: 'Deleted the group.' }
    },
  })
  addMemberCommands(group)
}

function addMemberCommands(group: Command): void {
  command<MemberOptions>(group, 'add-member', {
    description: 'add a person to a group',
    options: withMember,
    work: async ({ ctx, options }) => {
      const { key, email } = await findMembership(ctx, options)
      const changed = await (await verbs()).addGroupMember(ctx, key)
      const text = `${email} is ${changed ? 'now' : 'already'} in the group.`
      return { json: { ...key, member: true, changed }, text }
    },
  })
  command<MemberOptions>(group, 'remove-member', {
    description: 'remove a person from a group',
    options: withMember,
    work: async ({ ctx, options }) => {
      const { key, email } = await findMembership(ctx, options)
      const changed = await (await verbs()).removeGroupMember(ctx, key)
      const text = `${email} ${changed ? 'is no longer' : 'was not'} in the group.`
      return { json: { ...key, member: false, changed }, text }
    },
  })
}

function withMember(made: Command): Command {
  return made
    .requiredOption('--group <name>', 'name or id of the group')
    .requiredOption('--user <email>', 'e-mail address of the account')
}

async function findMembership(ctx: Ctx, options: MemberOptions) {
  const { findUser } = await import('@/lib/domains/users/reads')
  const { id: groupId } = await (await reads()).findGroup(ctx, options.group)
  const { id: userId, email } = await findUser(ctx, options.user)
  return { key: { groupId, userId }, email }
}

import type { Command } from 'commander'
import { groups } from '@/lib/domains/groups/shape'
import {
  type ToolLimitOptions,
  toolLimitsIn,
  withToolLimits,
} from '@/lib/doors/cli/input/limit-options'
import type { Ctx } from '@/lib/kernel/context'
import { limitWords } from '@/lib/protocol/key-limits'
import { command } from '../command'
import { printLine } from '../print'
import { commandSpec } from '../resource-commands'

const verbs = () => import('@/lib/domains/groups/verbs')

const example = `
Members may use the configurations of their groups; admins may use all:
  toolgate group add Editors
  toolgate group add-member --group Editors --user ana@example.org
  toolgate configuration allow --configuration mini --group Editors`

type MemberOptions = { group: string; user: string }

export const groupCommands = commandSpec(groups, {
  example,
  words: {
    list: 'list the groups with their members and configurations',
    show: 'show a group with its members and configurations',
    edit: 'change the name or the description of a group',
    delete: 'delete a group; its members lose the configurations that only this group allows',
  },
  confirms: ['delete'],
  columns: {
    MEMBERS: ({ members }) => members.join(', ') || 'none',
    CONFIGURATIONS: ({ configurations }) => configurations.join(', ') || 'none',
  },
  print: ({ description }) => {
    if (description !== '') printLine(description)
  },
  further: addFurther,
})

function addFurther(group: Command): void {
  addMemberCommands(group)
  command<ToolLimitOptions & { reason?: string }>(group, 'limit', {
    description:
      'limit the members of a group to tools, from their next call on; options you leave out keep their value',
    args: { '<name>': 'name or id of the group' },
    reason: true,
    confirms: true,
    options: withToolLimits,
    work: ({ ctx, args: [name = ''], options }) => limit(ctx, name, options),
  })
}

async function limit(
  ctx: Ctx,
  name: string,
  { reason, ...options }: ToolLimitOptions & { reason?: string },
) {
  const { findGroup } = await import('@/lib/domains/groups/reads')
  const { limitGroup } = await import('@/lib/joined-verbs')
  const { id } = await findGroup(ctx, name)
  const given = toolLimitsIn(options)
  await limitGroup(ctx, { id, ...given, ...(reason !== undefined && { reason }) })
  const { limits } = await (await verbs()).groupVerbs.read(ctx, { id })
  const words = limitWords({ ...limits, configurations: null })
  const text =
    words === null ? 'The group does not limit its members.' : `Members may use ${words}.`
  return { json: { id, limits }, text }
}

function addMemberCommands(group: Command): void {
  command<MemberOptions>(group, 'add-member', {
    description: 'add a person to a group',
    confirms: true,
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
    confirms: true,
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
  const { findGroup } = await import('@/lib/domains/groups/reads')
  const { findUser } = await import('@/lib/domains/users/reads')
  const { id: groupId } = await findGroup(ctx, options.group)
  const { id: userId, email } = await findUser(ctx, options.user)
  return { key: { groupId, userId }, email }
}

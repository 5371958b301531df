import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { ChangeGroupOptions, CreateGroupOptions, MemberOptions } from '../group-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../group-verbs')

const example = `
Members may use the configurations of their groups; admins may use all:
  toolgate group add --name Editors
  toolgate group add-member --group Editors --user ana@example.org
  toolgate configuration allow --configuration mini --group Editors`

export function addGroupCommands(program: Command): void {
  const group = program
    .command('group')
    .description('groups of people and the configurations they may use')
    .addHelpText('after', example)
  withCommonOptions(group.command('list'))
    .description('list the groups with their members and configurations')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printGroups(options)),
    )
  const create = group
    .command('add')
    .alias('create')
    .description('add a group')
    .requiredOption('--name <name>', 'name of the group')
    .option('--description <text>', 'purpose of the group')
  withCommonOptions(create).action((options: CreateGroupOptions) =>
    withInstallation(async () => (await load()).addGroup(options)),
  )
  const change = group
    .command('edit')
    .alias('change')
    .description('change the name or the description of a group')
    .argument('<group>', 'name or id of the group')
    .option('--name <name>', 'new name')
    .option('--description <text>', 'purpose of the group')
  withCommonOptions(change).action((name: string, options: ChangeGroupOptions) =>
    withInstallation(async () => (await load()).changeGroup(name, options)),
  )
  withCommonOptions(group.command('delete'))
    .description('delete a group; its members lose the configurations that only this group allows')
    .argument('<group>', 'name or id of the group')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).removeGroup(name, options)),
    )
  withMemberOptions(group.command('add-member'))
    .description('add a person to a group')
    .action((options: MemberOptions) =>
      withInstallation(async () => (await load()).addMember(options)),
    )
  withMemberOptions(group.command('remove-member'))
    .description('remove a person from a group')
    .action((options: MemberOptions) =>
      withInstallation(async () => (await load()).removeMember(options)),
    )
}

function withMemberOptions(command: Command): Command {
  const described = command
    .requiredOption('--group <name>', 'name or id of the group')
    .requiredOption('--user <email>', 'e-mail address of the account')
  return withCommonOptions(described)
}

import type { Command } from 'commander'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { ChangeGroupOptions, CreateGroupOptions, MemberOptions } from '../group-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../group-verbs')

const example = `
Members may use the configurations that one of their groups may use; admins may use all:
  toolgate group create --name Editors
  toolgate group add-member --group Editors --user ana@example.org
  toolgate configuration allow --configuration mini --group Editors`

export function addGroupCommands(program: Command): void {
  const group = program
    .command('group')
    .description('who may use which configurations')
    .addHelpText('after', example)
  withCommonOptions(group.command('list'))
    .description('list the groups with their members and configurations')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printGroups(options)),
    )
  const create = group
    .command('create')
    .description('add a group')
    .requiredOption('--name <name>', 'what people call it')
    .option('--description <text>', 'what it is for')
  withCommonOptions(create).action((options: CreateGroupOptions) =>
    withInstallation(async () => (await load()).addGroup(options)),
  )
  const change = group
    .command('change')
    .description('rename a group, or say what it is for')
    .argument('<group>', 'the group: its name or id')
    .option('--name <name>', 'its new name')
    .option('--description <text>', 'what it is for')
  withCommonOptions(change).action((name: string, options: ChangeGroupOptions) =>
    withInstallation(async () => (await load()).changeGroup(name, options)),
  )
  withCommonOptions(group.command('delete'))
    .description('delete a group; its members lose what no other group of theirs opens')
    .argument('<group>', 'the group: its name or id')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).removeGroup(name, options)),
    )
  withMemberOptions(group.command('add-member'))
    .description('let a person use what the group may use')
    .action((options: MemberOptions) =>
      withInstallation(async () => (await load()).addMember(options)),
    )
  withMemberOptions(group.command('remove-member'))
    .description('take a person out of the group')
    .action((options: MemberOptions) =>
      withInstallation(async () => (await load()).removeMember(options)),
    )
}

function withMemberOptions(command: Command): Command {
  const described = command
    .requiredOption('--group <name>', 'the group: its name or id')
    .requiredOption('--user <email>', 'e-mail address of the account')
  return withCommonOptions(described)
}

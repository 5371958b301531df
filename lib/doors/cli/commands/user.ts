import { Argument, type Command, Option } from 'commander'
import type { UpdateUser } from '@/lib/domains/users/schemas'
import { Role } from '@/lib/protocol/tool'
import {
  type CommonOptions,
  type ReasonOptions,
  withCommonOptions,
  withReason,
} from '../common-options'
import type { CreateUserOptions } from '../user-verbs'
import { withInstallation } from '../with-installation'
import { addAccountCommands } from './account'

const load = () => import('../user-verbs')

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who may sign in')
  withCommonOptions(user.command('list'))
    .description('list the accounts')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printUsers(options)),
    )
  const create = user
    .command('add')
    .alias('create')
    .description('add an account; without --password-stdin, a password is generated and shown once')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .requiredOption('--name <name>', 'name of the person')
    .addOption(
      new Option('--role <role>', 'role of the account').choices(Role.options).default('member'),
    )
    .option('--password-stdin', 'read the password from standard input')
  withCommonOptions(create).action((options: CreateUserOptions) =>
    withInstallation(async () => (await load()).addUser(options)),
  )
  addChange(
    user,
    'disable',
    { disabled: true },
    'disable an account: sign it out, stop its tool calls and block sign-in',
  )
  addChange(user, 'enable', { disabled: false }, 'enable a disabled account')
  withReason(user.command('set-role'))
    .description('change the role of an account, also for active runs')
    .argument('<email>', 'e-mail address of the account')
    .addArgument(new Argument('<role>', 'new role').choices(Role.options))
    .action((email: string, role: Role, options: ReasonOptions) =>
      withInstallation(async () => (await load()).changeUser(email, { role }, options)),
    )
  withReason(user.command('delete'))
    .description('delete an account permanently; its runs stay')
    .argument('<email>', 'e-mail address of the account')
    .action((email: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).removeUser(email, options)),
    )
  addAccountCommands(user)
}

function addChange(user: Command, verb: string, change: UpdateUser, description: string): void {
  withReason(user.command(verb))
    .description(description)
    .argument('<email>', 'e-mail address of the account')
    .action((email: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).changeUser(email, change, options)),
    )
}

import { type Command, Option } from 'commander'
import { Role } from '@/lib/protocol/tool'
import { type CommonOptions, withCommonOptions } from '../common-options'
import type { CreateUserOptions } from '../user-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../user-verbs')

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who may sign in')
  withCommonOptions(user.command('list'))
    .description('list the accounts')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printUsers(options)),
    )
  const create = user
    .command('create')
    .description('add an account; without --password-stdin a password is made and shown this once')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .requiredOption('--name <name>', 'name of the person')
    .addOption(
      new Option('--role <role>', 'what the account may do')
        .choices(Role.options)
        .default('member'),
    )
    .option('--password-stdin', 'read the password from standard input')
  withCommonOptions(create).action((options: CreateUserOptions) =>
    withInstallation(async () => (await load()).addUser(options)),
  )
}

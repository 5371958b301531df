import { type Command, Option } from 'commander'
import { Role } from '@/lib/protocol/tool'
import type { InviteOptions } from '../account-verbs'
import {
  type CommonOptions,
  nameList,
  type ReasonOptions,
  withCommonOptions,
  withReason,
} from '../common-options'
import { withInstallation } from '../with-installation'

const load = () => import('../account-verbs')
const email = ['<email>', 'e-mail address of the account'] as const

/** The part of `toolgate user` that is about passwords, links and sessions. */
export function addAccountCommands(user: Command): void {
  const invite = user
    .command('invite')
    .description('add an account; the person sets the password through a one-time link')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .requiredOption('--name <name>', 'name of the person')
    .addOption(
      new Option('--role <role>', 'role of the account').choices(Role.options).default('member'),
    )
    .option('--groups <names>', 'groups of the person', nameList)
  withCommonOptions(invite).action((options: InviteOptions) =>
    withInstallation(async () => (await load()).inviteAndPrint(options)),
  )
  withReason(user.command('reset'))
    .description(
      'remove the password, end sessions and API keys, and create a link to set a new one',
    )
    .argument(...email)
    .action((address: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).resetAndPrintLink(address, options)),
    )
  withReason(user.command('reset-second-factor'))
    .description('remove the passkeys, authenticator apps and recovery codes of an account')
    .argument(...email)
    .action((address: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).resetSecondFactorAndPrint(address, options)),
    )
  withReason(user.command('end-sessions'))
    .description('sign the account out everywhere')
    .argument(...email)
    .action((address: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).endSessionsAndPrint(address, options)),
    )
  withCommonOptions(user.command('set-password'))
    .description('set the password from standard input: … < file')
    .argument(...email)
    .action((address: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).storePassword(address, options)),
    )
  withCommonOptions(user.command('revoke-link'))
    .description('revoke an open invitation or reset link')
    .argument(...email)
    .action((address: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).revokeLinkAndPrint(address, options)),
    )
}

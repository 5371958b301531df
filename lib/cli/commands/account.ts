import { type Command, Option } from 'commander'
import { Role } from '@/lib/protocol/tool'
import type { InviteOptions } from '../account-verbs'
import { type CommonOptions, nameList, withCommonOptions } from '../common-options'
import { withInstallation } from '../with-installation'

const load = () => import('../account-verbs')

/** The part of `toolgate user` that is about passwords, links and sessions. */
export function addAccountCommands(user: Command): void {
  const invite = user
    .command('invite')
    .description('add an account whose person sets the password through a one-time link')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .requiredOption('--name <name>', 'name of the person')
    .addOption(
      new Option('--role <role>', 'what the account may do')
        .choices(Role.options)
        .default('member'),
    )
    .option('--groups <names>', 'groups the person is in', nameList)
  withCommonOptions(invite).action((options: InviteOptions) =>
    withInstallation(async () => (await load()).inviteAndPrint(options)),
  )
  addVerb(
    user,
    'reset',
    'take the password away and make a link to set a new one',
    (email, options) => load().then(({ resetAndPrintLink }) => resetAndPrintLink(email, options)),
  )
  addVerb(user, 'set-password', 'set the password that is piped in: … < file', (email, options) =>
    load().then(({ storePassword }) => storePassword(email, options)),
  )
  addVerb(user, 'end-sessions', 'sign the account out everywhere', (email, options) =>
    load().then(({ endSessionsAndPrint }) => endSessionsAndPrint(email, options)),
  )
  addVerb(user, 'revoke-link', 'make an open invitation or reset link useless', (email, options) =>
    load().then(({ revokeLinkAndPrint }) => revokeLinkAndPrint(email, options)),
  )
}

function addVerb(
  user: Command,
  verb: string,
  description: string,
  work: (email: string, options: CommonOptions) => Promise<void>,
): void {
  withCommonOptions(user.command(verb))
    .description(description)
    .argument('<email>', 'e-mail address of the account')
    .action((email: string, options: CommonOptions) => withInstallation(() => work(email, options)))
}

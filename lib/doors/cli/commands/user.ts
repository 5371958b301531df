import { randomBytes } from 'node:crypto'
import { Argument, type Command, Option } from 'commander'
import type { OneTimeLink } from '@/lib/domains/users/schemas'
import { nameList } from '@/lib/doors/cli/input/common-options'
import { readSecret } from '@/lib/doors/cli/input/read-input'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { Role } from '@/lib/protocol/tool'
import { command } from '../command'
import { printLine, printTable } from '../print'

const reads = () => import('@/lib/domains/users/reads')
const verbs = () => import('@/lib/domains/users/verbs')
const signInVerbs = () => import('@/lib/domains/users/sign-in-verbs')

const args = { '<email>': 'e-mail address of the account' }

type Person = { email: string; name: string; role: Role }
type AddOptions = Person & { passwordStdin?: boolean }
type InviteOptions = Person & { groups?: string[] }

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who may sign in')
  command(user, 'list', {
    description: 'list the accounts',
    work: async ({ ctx }) => {
      const users = await (await reads()).listUsers(ctx)
      const rows = users.map(({ email, name, role, state, lastSignInAt }) => [
        email,
        name,
        role,
        state,
        lastSignInAt ?? 'never',
      ])
      const heads = ['E-MAIL', 'NAME', 'ROLE', 'STATE', 'LAST SIGN-IN']
      const text = () => {
        printTable(heads, rows)
        for (const { email, suspendedFor } of users)
          if (suspendedFor !== null) printLine(`${email} is suspended: ${suspendedFor}`)
      }
      return { json: users, text }
    },
  })
  command<AddOptions>(user, 'add', {
    alias: 'create',
    description: 'add an account; without --password-stdin, a password is generated and shown once',
    options: (made) =>
      withPerson(made).option('--password-stdin', 'read the password from standard input'),
    beforeFirstAdmin: true,
    work: async ({ ctx, options: { email, name, role, passwordStdin } }) => {
      // 144 random bits, stored only as a hash.
      const generated = passwordStdin ? null : randomBytes(18).toString('base64url')
      const password = generated ?? (await readSecret('the password'))
      const { userId } = await (await verbs()).createUser(ctx, { email, name, role, password })
      return {
        json: { id: userId, email, role, ...(generated && { password: generated }) },
        text: () => {
          printLine(`Added the ${role} ${email} (${userId}).`)
          if (generated) printLine(`Password (shown only now): ${generated}`)
        },
      }
    },
  })
  command(user, 'disable', {
    description: 'disable an account: sign it out, stop its tool calls and block sign-in',
    args,
    reason: true,
    confirms: true,
    work: ({ ctx, args: [email], options: { reason } }) =>
      change(ctx, email, { disabled: true, reason }),
  })
  command(user, 'enable', {
    description: 'enable a disabled or suspended account',
    args,
    reason: true,
    confirms: true,
    work: ({ ctx, args: [email], options: { reason } }) =>
      change(ctx, email, { disabled: false, reason }),
  })
  command(user, 'set-role', {
    description: 'change the role of an account, also for active runs',
    args,
    reason: true,
    confirms: true,
    options: (made) => made.addArgument(new Argument('<role>', 'new role').choices(Role.options)),
    work: ({ ctx, args: [email, role], options: { reason } }) =>
      change(ctx, email, { role: Role.parse(role), reason }),
  })
  command(user, 'delete', {
    description: 'delete an account permanently; its runs stay',
    args,
    reason: true,
    confirms: true,
    work: async ({ ctx, args: [email], options: { reason } }) => {
      const account = await find(ctx, email)
      await (await verbs()).deleteUser(ctx, { userId: account.id, reason })
      return {
        json: { ...account, deleted: true },
        text: `Deleted the account ${account.email}.`,
      }
    },
  })
  addSignInCommands(user)
}

/** Adds the commands about passwords, links and sessions. */
function addSignInCommands(user: Command): void {
  command<InviteOptions>(user, 'invite', {
    description: 'add an account; the person sets the password through a one-time link',
    options: (made) =>
      withPerson(made).option('--groups <names>', 'groups of the person', nameList),
    work: async ({ ctx, options: { email, name, role, groups = [] } }) => {
      const { findGroup } = await import('@/lib/domains/groups/reads')
      const groupIds: string[] = []
      for (const group of groups) groupIds.push((await findGroup(ctx, group)).id)
      const { inviteUser } = await import('@/lib/domains/users/account-links')
      const { userId, link } = await inviteUser(ctx, { email, name, role, groupIds })
      return tellLink({ id: userId, email }, link)
    },
  })
  command(user, 'reset', {
    description:
      'remove the password, end sessions, API keys and active runs, and create a link to set a new one',
    args,
    reason: true,
    work: async ({ ctx, args: [email], options: { reason } }) => {
      const account = await find(ctx, email)
      const { resetPassword } = await signInVerbs()
      return tellLink(account, await resetPassword(ctx, { userId: account.id, reason }))
    },
  })
  command(user, 'reset-second-factor', {
    description: 'remove the passkeys, authenticator apps and recovery codes of an account',
    args,
    reason: true,
    work: async ({ ctx, args: [email], options: { reason = '' } }) => {
      const account = await find(ctx, email)
      const { resetSecondFactor } = await signInVerbs()
      const { sessionsEnded } = await resetSecondFactor(ctx, { userId: account.id, reason })
      return {
        json: { ...account, sessionsEnded },
        text: `${account.email} no longer has a second factor and is signed out everywhere.`,
      }
    },
  })
  command(user, 'end-sessions', {
    description: 'sign the account out everywhere',
    args,
    reason: true,
    work: async ({ ctx, args: [email], options: { reason } }) => {
      const account = await find(ctx, email)
      const { endAllSessions } = await signInVerbs()
      const ended = await endAllSessions(ctx, { userId: account.id, reason })
      return {
        json: { ...account, ended },
        text: `Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${account.email}.`,
      }
    },
  })
  command(user, 'set-password', {
    description: 'set the password from standard input: … < file',
    args,
    work: async ({ ctx, args: [email] }) => {
      const account = await find(ctx, email)
      const password = await readSecret('the password')
      await (await signInVerbs()).setPassword(ctx, { userId: account.id, password })
      return {
        json: account,
        text: `${account.email} can sign in with the new password. Earlier sessions, API keys and runs were ended.`,
      }
    },
  })
  command(user, 'revoke-link', {
    description: 'revoke an open invitation or reset link',
    args,
    work: async ({ ctx, args: [email] }) => {
      const account = await find(ctx, email)
      const { revokeLink } = await import('@/lib/domains/users/account-links')
      const changed = await revokeLink(ctx, { userId: account.id })
      const text = changed ? 'no longer has an open link' : 'had no open link'
      return { json: { ...account, changed }, text: `${account.email} ${text}.` }
    },
  })
}

function withPerson(made: Command): Command {
  return made
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .requiredOption('--name <name>', 'name of the person')
    .addOption(
      new Option('--role <role>', 'role of the account').choices(Role.options).default('member'),
    )
}

async function find(ctx: Ctx, email = ''): Promise<{ id: string; email: string }> {
  return (await reads()).findUser(ctx, email)
}

type Change = { role?: Role; disabled?: boolean; reason: string | undefined }

/** Says what the account may do now, changed or not. */
async function change(ctx: Ctx, address: string | undefined, input: Change) {
  const { id } = await find(ctx, address)
  await (await verbs()).updateUser(ctx, { userId: id, ...input })
  const user = (await (await reads()).listUsers(ctx)).find((each) => each.id === id)
  if (!user) throw new NotFoundError('The account')
  const { email, role, disabled, suspendedFor } = user
  const off = suspendedFor === null ? 'a disabled' : 'a suspended'
  return {
    json: { id, email, role, disabled, suspendedFor },
    text: `${email} is ${disabled ? off : 'an active'} ${role}.`,
  }
}

function tellLink(
  user: { id: string; email: string },
  { purpose, address, expiresAt }: OneTimeLink,
) {
  return {
    json: { ...user, purpose, link: address, expiresAt },
    text: `Send this link to ${user.email}. It is shown only now, works once, and expires at ${expiresAt}:\n${address}`,
  }
}

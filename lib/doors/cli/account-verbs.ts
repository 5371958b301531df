import { findGroup } from '@/lib/domains/groups/reads'
import { endAllSessions } from '@/lib/domains/users/end-all-sessions'
import { findUser } from '@/lib/domains/users/find-user'
import { inviteUser } from '@/lib/domains/users/invite-user'
import { resetPassword } from '@/lib/domains/users/reset-password'
import { resetSecondFactor } from '@/lib/domains/users/reset-second-factor'
import { revokeLink } from '@/lib/domains/users/revoke-link'
import type { OneTimeLink } from '@/lib/domains/users/schemas'
import { setPassword } from '@/lib/domains/users/set-password'
import type { Role } from '@/lib/protocol/tool'
import { actingCtx } from './acting-ctx'
import type { CommonOptions, ReasonOptions } from './common-options'
import { printJson, printLine } from './print'
import { readSecret } from './read-standard-input'

export type InviteOptions = CommonOptions & {
  email: string
  name: string
  role: Role
  groups?: string[]
}

/** Adds a person and shows the link with which they set a password, this once. */
export async function inviteAndPrint(options: InviteOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { email, name, role } = options
  const groupIds: string[] = []
  for (const group of options.groups ?? []) groupIds.push((await findGroup(ctx, group)).id)
  const { userId, link } = await inviteUser(ctx, { email, name, role, groupIds })
  printLink({ id: userId, email }, link, options)
}

/** Takes the password away and shows the link with which a new one is set, this once. */
export async function resetAndPrintLink(email: string, options: ReasonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const user = await findUser(ctx, email)
  printLink(user, await resetPassword(ctx, user.id, { reason: options.reason }), options)
}

/** The password is read from standard input and nowhere else. */
export async function storePassword(email: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const user = await findUser(ctx, email)
  await setPassword(ctx, user.id, { password: await readSecret('the password') })
  if (options.json) return printJson(user)
  printLine(
    `${user.email} can sign in with the new password. Earlier sessions and API keys were ended.`,
  )
}

/** Takes every second factor away; the person signs in with the password alone. */
export async function resetSecondFactorAndPrint(
  email: string,
  options: ReasonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const user = await findUser(ctx, email)
  const { sessionsEnded } = await resetSecondFactor(ctx, user.id, { reason: options.reason ?? '' })
  if (options.json) return printJson({ ...user, sessionsEnded })
  printLine(`${user.email} no longer has a second factor and is signed out everywhere.`)
}

export async function endSessionsAndPrint(email: string, options: ReasonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const user = await findUser(ctx, email)
  const ended = await endAllSessions(ctx, user.id, { reason: options.reason })
  if (options.json) return printJson({ ...user, ended })
  printLine(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${user.email}.`)
}

export async function revokeLinkAndPrint(email: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const user = await findUser(ctx, email)
  const changed = await revokeLink(ctx, user.id)
  if (options.json) return printJson({ ...user, changed })
  printLine(`${user.email} ${changed ? 'no longer has an open link' : 'had no open link'}.`)
}

function printLink(
  user: { id: string; email: string },
  { purpose, address, expiresAt }: OneTimeLink,
  options: CommonOptions,
): void {
  if (options.json) {
    printJson({ ...user, purpose, link: address, expiresAt })
    return
  }
  printLine(
    `Send this link to ${user.email}. It is shown only now, works once, and expires at ${expiresAt}:`,
  )
  printLine(address)
}

import { randomBytes } from 'node:crypto'
import { createUser } from '@/lib/domains/users/create-user'
import { deleteUser } from '@/lib/domains/users/delete-user'
import { findUser } from '@/lib/domains/users/find-user'
import { listUsers } from '@/lib/domains/users/list-users'
import type { UpdateUser } from '@/lib/domains/users/schemas'
import { updateUser } from '@/lib/domains/users/update-user'
import { NotFoundError } from '@/lib/kernel/errors'
import type { Role } from '@/lib/protocol/tool'
import { actingCtx, actingOrInstallationCtx } from './acting-ctx'
import type { CommonOptions, ReasonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { readSecret } from './read-standard-input'

export type CreateUserOptions = CommonOptions & {
  email: string
  name: string
  role: Role
  passwordStdin?: boolean
}

export async function printUsers(options: CommonOptions): Promise<void> {
  const users = await listUsers(await actingCtx(options.as))
  if (options.json) return printJson(users)
  printTable(
    ['E-MAIL', 'NAME', 'ROLE', 'STATE', 'LAST SIGN-IN'],
    users.map(({ email, name, role, state, lastSignInAt }) => [
      email,
      name,
      role,
      state,
      lastSignInAt ?? 'never',
    ]),
  )
}

/** A generated password (144 random bits) is printed once and stored only as a hash. */
export async function addUser(options: CreateUserOptions): Promise<void> {
  const ctx = await actingOrInstallationCtx(options.as)
  const { email, name, role } = options
  const generated = options.passwordStdin ? null : randomBytes(18).toString('base64url')
  const password = generated ?? (await readSecret('the password'))
  const { userId } = await createUser(ctx, { email, name, role, password })
  if (options.json) {
    return printJson({ id: userId, email, role, ...(generated && { password: generated }) })
  }
  printLine(`Added the ${role} ${email} (${userId}).`)
  if (generated) printLine(`Password (shown only now): ${generated}`)
}

/** Says what the account may do now, changed or not. */
export async function changeUser(
  email: string,
  change: UpdateUser,
  options: ReasonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findUser(ctx, email)
  await updateUser(ctx, id, { ...change, reason: options.reason })
  const user = (await listUsers(ctx)).find((each) => each.id === id)
  if (!user) throw new NotFoundError('The account')
  const { role, disabled } = user
  if (options.json) return printJson({ id, email: user.email, role, disabled })
  printLine(`${user.email} is ${disabled ? 'a disabled' : 'an active'} ${role}.`)
}

export async function removeUser(email: string, options: ReasonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const user = await findUser(ctx, email)
  await deleteUser(ctx, user.id, { reason: options.reason })
  if (options.json) return printJson({ ...user, deleted: true })
  printLine(`Deleted the account ${user.email}.`)
}

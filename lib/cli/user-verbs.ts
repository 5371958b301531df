import { randomBytes } from 'node:crypto'
import type { Role } from '@/lib/protocol/tool'
import { createUser } from '@/lib/users/create-user'
import { listUsers } from '@/lib/users/list-users'
import { actingCtx, actingOrInstallationCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
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
    users.map(({ email, name, role, disabled, lastSignInAt }) => [
      email,
      name,
      role,
      disabled ? 'disabled' : 'active',
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
  printLine(`Created the ${role} ${email} (${userId}).`)
  if (generated) printLine(`Password, shown this once: ${generated}`)
}

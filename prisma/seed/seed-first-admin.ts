import { requireStrongPassword } from '@/lib/domains/users/passwords'
import { CreateUser } from '@/lib/domains/users/schemas'
import { createUser } from '@/lib/domains/users/verbs'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'

type Source = Record<string, string | undefined>

/**
 * Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD (and ADMIN_NAME) when there is none yet. Throws one
 * sentence that names the variable when one is missing or wrong.
 */
export async function seedFirstAdmin(source: Source): Promise<void> {
  if (!source.ADMIN_EMAIL && !source.ADMIN_PASSWORD) return
  const admin = await db().user.findFirst({ where: { role: 'admin', deletedAt: null } })
  if (admin) return
  try {
    await namingVariables(() => createUser(systemCtx(), firstAdminOf(source)))
  } catch (error) {
    // Another process of this installation was faster.
    if (!(error instanceof ConflictError)) throw error
  }
}

/** Throws the error that `seedFirstAdmin` would throw on an installation without an admin. Needs no database. */
export async function checkFirstAdmin(source: Source): Promise<void> {
  await namingVariables(async () => {
    const { password, ...owner } = parseInput(CreateUser, firstAdminOf(source))
    await requireStrongPassword(password, owner, source.TOOLGATE_URL || 'http://localhost')
  })
}

function firstAdminOf({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ADMIN_NAME: name }: Source) {
  if (!email || !password) throw new Error('Set ADMIN_EMAIL and ADMIN_PASSWORD both, or neither.')
  return { email, password, name: name || 'Admin', role: 'admin' as const }
}

async function namingVariables(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const problems = Object.entries(error.fields).map(
      ([field, problem]) => `ADMIN_${field.toUpperCase()}: ${problem}`,
    )
    throw new Error(`The first admin cannot be created. ${problems.join(' ')}`)
  }
}

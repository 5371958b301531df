import { createUser } from '@/lib/domains/users/verbs'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'

type Source = Record<string, string | undefined>

/**
 * Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD (and ADMIN_NAME) when there is none yet. Throws one
 * sentence that names the variable when one is missing or wrong.
 */
export async function seedFirstAdmin(source: Source): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ADMIN_NAME: name } = source
  if (!email && !password) return
  const admin = await db().user.findFirst({ where: { role: 'admin', deletedAt: null } })
  if (admin) return
  if (!email || !password) {
    throw new Error(`Set ADMIN_EMAIL and ADMIN_PASSWORD both, or neither.`)
  }
  const input = { email, password, name: name || 'Admin', role: 'admin' as const }
  try {
    await createUser(systemCtx(), input)
  } catch (error) {
    // Another process of this installation was faster.
    if (error instanceof ConflictError) return
    if (!(error instanceof ValidationError)) throw error
    const problems = Object.entries(error.fields).map(
      ([field, problem]) => `ADMIN_${field.toUpperCase()}: ${problem}`,
    )
    throw new Error(`The first admin cannot be created. ${problems.join(' ')}`)
  }
}

import { randomUUID } from 'node:crypto'
import type { Ctx } from '@/lib/kernel/context'
import type { Role } from '@/lib/protocol/tool'
import { db } from './fixture-db'

// Of random bytes nobody kept.
const nobodysPassword =
  '$argon2id$v=19$m=19456,t=2,p=1$5/O3cOUB1krHPd4CZ7WnUQ$H58Gm0EATtgUhr6wpgH79vJauOkO7T7/nzHxc14CQbU'

/**
 * Adds a member without a password, or an admin with a random one (an account that cannot sign in does not count as an
 * admin). Returns the context of their actions in the console.
 */
export async function addPerson(role: Role, email = `${randomUUID()}@example.org`): Promise<Ctx> {
  const passwordHash = role === 'admin' ? nobodysPassword : null
  const user = await db().user.create({
    data: { email, name: 'Test person', role, passwordHash },
  })
  const actor = { userId: user.id, email, role }
  return { actor, via: 'console', ipAddress: '203.0.113.7', waysOut: 'unchecked' }
}

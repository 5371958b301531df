import { randomUUID } from 'node:crypto'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import type { Role } from '@/lib/protocol/tool'

/** A person without a password, and the context of something they do in the console. */
export async function addPerson(role: Role, email = `${randomUUID()}@example.org`): Promise<Ctx> {
  const user = await db().user.create({ data: { email, name: 'Test person', role } })
  return { actor: { userId: user.id, email, role }, via: 'console', ipAddress: '203.0.113.7' }
}

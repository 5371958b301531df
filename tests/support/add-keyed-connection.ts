import { randomUUID } from 'node:crypto'
import type { CreateConnection } from '@/lib/domains/connections/schemas'
import { createConnection } from '@/lib/domains/connections/verbs'
import type { Ctx } from '@/lib/kernel/context'

/** Keys that the providers of these tests take. */
export const firstKey = 'sk-first-0123456789abcd'
export const nextKey = 'sk-next-0123456789wxyz'

/** Adds a connection to a server of these tests, with the first key, and returns its id. */
export async function addKeyedConnection(
  admin: Ctx,
  baseUrl: string,
  change: Partial<CreateConnection> = {},
): Promise<string> {
  const { id } = await createConnection(admin, {
    name: randomUUID(),
    wire: 'openai-compatible',
    baseUrl,
    trustZone: 'private',
    privateAddressAllowed: true,
    apiKey: firstKey,
    ...change,
  })
  return id
}

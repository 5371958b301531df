import 'server-only'
import { z } from 'zod'
import { addKey, renewKey } from '@/lib/domains/connections/change-keys'
import { AddKey, RenewKey } from '@/lib/domains/connections/key-schemas'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/require-connection'
import { requireSeenHost } from '@/lib/domains/connections/require-seen-host'
import type { ConnectionTest } from '@/lib/domains/connections/schemas'
import { adviceWithNewKey } from '@/lib/engines/providers/connection-advice'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { parseInput } from '@/lib/kernel/parse-input'
import { probeAs } from './test-connection'

/** False = store it without asking the provider. */
const test = z.boolean('Give true or false.').default(true)

export const AddTestedKey = AddKey.extend({ test })
export type AddTestedKey = z.input<typeof AddTestedKey>
export const RenewTestedKey = RenewKey.extend({ test })
export type RenewTestedKey = z.input<typeof RenewTestedKey>

/** `stored` false = the provider rejected the key, and nothing changed. */
export type FurtherKey =
  | { stored: true; lastFour: string; test: ConnectionTest | null }
  | { stored: false; test: ConnectionTest }

/** Adds a further key to a connection after the provider accepted it. Admins only. */
export async function addTestedKey(
  ctx: Ctx,
  connectionId: string,
  input: AddTestedKey,
): Promise<FurtherKey> {
  requireRole(ctx, 'admin')
  const { test: wanted, ...key } = parseInput(AddTestedKey, input)
  const found = wanted ? await testOf(ctx, connectionId, key) : null
  if (found && found.outcome !== 'ok') return { stored: false, test: found }
  const { lastFour } = await addKey(ctx, connectionId, key)
  return { stored: true, lastFour, test: found }
}

/** Replaces a further key after the provider accepted the new one. Admins only. */
export async function renewTestedKey(
  ctx: Ctx,
  which: { connectionId: string; key: string },
  input: RenewTestedKey,
): Promise<FurtherKey> {
  requireRole(ctx, 'admin')
  const { test: wanted, ...key } = parseInput(RenewTestedKey, input)
  const found = wanted ? await testOf(ctx, which.connectionId, key) : null
  if (found && found.outcome !== 'ok') return { stored: false, test: found }
  const { lastFour } = await renewKey(ctx, which, key)
  return { stored: true, lastFour, test: found }
}

/** Tests a key that is not stored. Throws ConflictError when it was entered for another host. */
async function testOf(
  ctx: Ctx,
  connectionId: string,
  { apiKey, host }: z.output<typeof RenewKey>,
): Promise<ConnectionTest> {
  const row = await requireConnection(connectionId)
  requireSeenHost(row, host)
  const open = await openConnection(db(), { ...row, secretId: null })
  const found = await probeAs(ctx, { ...open, apiKey }, row.name)
  return found.outcome === 'ok' ? found : { ...found, message: adviceWithNewKey(found.message) }
}

import 'server-only'
import { z } from 'zod'
import { requireSeenHost } from '@/lib/domains/connections/checks'
import { AddKey, RenewKey } from '@/lib/domains/connections/key-schemas'
import { addKey, OneKey, renewKey, setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { connectionFacts, openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import { ConnectionTest } from '@/lib/domains/connections/schemas'
import { secretsHost } from '@/lib/domains/connections/shared/wire-address'
import { verb } from '@/lib/edge/verb'
import { adviceWithNewKey } from '@/lib/engines/providers/failures/connection-advice'
import type { Connection } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { keepConnectionTest, probeAs } from './test-connection'

/** False = store it without asking the provider. */
const test = z.boolean().default(true)

/** `stored` false = the provider rejected the key, and nothing changed. */
export const KeyAnswer = z.discriminatedUnion('stored', [
  z.object({ stored: z.literal(true), lastFour: z.string(), test: ConnectionTest.nullable() }),
  z.object({ stored: z.literal(false), test: ConnectionTest }),
])
export type FurtherKey = z.output<typeof KeyAnswer>

/**
 * There is no gap: the provider is asked with the new key first, and only an accepted key is stored. Active runs keep
 * their key. Throws ConflictError, and sends nothing, when the connection leads to another host than `host`.
 */
export const replaceConnectionKey = verb({
  name: 'connection.replace-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Replaces the key of a connection after a test with the provider.',
  input: RenewKey.extend({ id: z.string(), test }),
  output: KeyAnswer,
  // Before the provider is asked with the key.
  needsReauthentication: () => true,
  transaction: false,
  run: async ({ ctx }, { id, test: wanted, ...key }) => {
    const askedAt = Date.now()
    const row = await requireConnection(id)
    requireSeenHost(row, key.host)
    const found = wanted ? await testOf(ctx, row, key.apiKey) : null
    if (found && found.outcome !== 'ok') return { stored: false, test: found } as const
    const host = secretsHost(connectionFacts(row))
    const { lastFour } = await setConnectionKey(ctx, { id: row.id, apiKey: key.apiKey, host })
    if (found) await keepConnectionTest(row.id, found, askedAt)
    return { stored: true, lastFour, test: found } as const
  },
})

export const addTestedKey = verb({
  name: 'connection.add-tested-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Adds a further key after a test with the provider.',
  input: AddKey.extend({ id: z.string(), test }),
  output: KeyAnswer,
  needsReauthentication: () => true,
  transaction: false,
  run: async ({ ctx }, { test: wanted, ...key }) =>
    storeTested(ctx, { wanted, ...key }, () => addKey(ctx, key)),
})

export const renewTestedKey = verb({
  name: 'connection.renew-tested-key',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Replaces a further key after a test with the provider.',
  input: RenewKey.extend({ ...OneKey.shape, test }),
  output: KeyAnswer,
  needsReauthentication: () => true,
  transaction: false,
  run: async ({ ctx }, { test: wanted, ...key }) =>
    storeTested(ctx, { wanted, ...key }, () => renewKey(ctx, key)),
})

type Tested = z.output<typeof RenewKey> & { id: string; wanted: boolean }

async function storeTested(
  ctx: Ctx,
  { id, wanted, apiKey, host }: Tested,
  store: () => Promise<{ lastFour: string }>,
): Promise<FurtherKey> {
  let found: ConnectionTest | null = null
  if (wanted) {
    const row = await requireConnection(id)
    requireSeenHost(row, host)
    found = await testOf(ctx, row, apiKey)
    if (found.outcome !== 'ok') return { stored: false, test: found }
  }
  const { lastFour } = await store()
  return { stored: true, lastFour, test: found }
}

/** Tests a key that is not stored. */
async function testOf(ctx: Ctx, row: Connection, apiKey: string): Promise<ConnectionTest> {
  const open = await openConnection(db(), { ...row, secretId: null })
  const found = await probeAs(ctx, { ...open, apiKey }, row.name)
  return found.outcome === 'ok' ? found : { ...found, message: adviceWithNewKey(found.message) }
}

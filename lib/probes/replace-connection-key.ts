import 'server-only'
import { z } from 'zod'
import { connectionFacts } from '@/lib/domains/connections/connection-facts'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/require-connection'
import { requireSeenHost } from '@/lib/domains/connections/require-seen-host'
import { ConnectionKey, type ConnectionTest, SeenHost } from '@/lib/domains/connections/schemas'
import { setConnectionKey } from '@/lib/domains/connections/set-connection-key'
import { adviceWithNewKey } from '@/lib/engines/providers/connection-advice'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { parseInput } from '@/lib/kernel/parse-input'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { keepConnectionTest } from './keep-connection-test'
import { probeAs } from './test-connection'

export const ReplaceConnectionKey = z.object({
  apiKey: ConnectionKey,
  /** False = store it without asking the provider. */
  test: z.boolean('Give true or false.').default(true),
  host: SeenHost,
})
export type ReplaceConnectionKey = z.input<typeof ReplaceConnectionKey>

/** `stored` false = the provider rejected the new key, and the old one stays. */
export type KeyReplacement =
  | { stored: true; lastFour: string; test: ConnectionTest | null }
  | { stored: false; test: ConnectionTest }

/**
 * Replaces the key of a connection without a gap: the provider is asked with the new key first, and only an accepted
 * key is stored. Active runs keep their key. Throws ConflictError, and sends nothing, when the connection leads to
 * another host than `host`. Admins only.
 */
export async function replaceConnectionKey(
  ctx: Ctx,
  connectionId: string,
  input: ReplaceConnectionKey,
): Promise<KeyReplacement> {
  requireRole(ctx, 'admin')
  const { apiKey, test: wanted, host } = parseInput(ReplaceConnectionKey, input)
  const askedAt = Date.now()
  const row = await requireConnection(connectionId)
  requireSeenHost(row, host)
  const open = wanted ? await openConnection(db(), { ...row, secretId: null }) : null
  const test = open && (await probeAs(ctx, { ...open, apiKey }, row.name))
  if (test && test.outcome !== 'ok') {
    return { stored: false, test: { ...test, message: adviceWithNewKey(test.message) } }
  }
  const { lastFour } = await setConnectionKey(ctx, row.id, apiKey, {
    host: secretsHost(connectionFacts(row)),
  })
  if (test) await keepConnectionTest(row.id, test, askedAt)
  return { stored: true, lastFour, test }
}

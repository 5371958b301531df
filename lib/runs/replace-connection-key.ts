import 'server-only'
import { z } from 'zod'
import { connectionFacts } from '@/lib/connections/connection-facts'
import { openConnection } from '@/lib/connections/open-connection'
import { recordConnectionTest } from '@/lib/connections/record-connection-test'
import { requireConnection } from '@/lib/connections/require-connection'
import { ConnectionKey, type ConnectionTest } from '@/lib/connections/schemas'
import { setConnectionKey } from '@/lib/connections/set-connection-key'
import { type Ctx, requireRole } from '@/lib/context'
import { db } from '@/lib/db'
import { parseInput } from '@/lib/parse-input'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { probeAs } from './test-connection'

export const ReplaceConnectionKey = z.object({
  apiKey: ConnectionKey,
  /** False = store it without asking the provider. */
  test: z.boolean('Say true or false.').default(true),
})
export type ReplaceConnectionKey = z.input<typeof ReplaceConnectionKey>

/** `stored` false = the provider did not take the new key, and the one before stays. */
export type KeyReplacement =
  | { stored: true; lastFour: string; test: ConnectionTest | null }
  | { stored: false; test: ConnectionTest }

/**
 * Puts a new key in the old one's place without a gap: the provider is asked with the new one first, and only a key it
 * takes is stored. Runs that are going keep the key they began with. Admins only.
 */
export async function replaceConnectionKey(
  ctx: Ctx,
  connectionId: string,
  input: ReplaceConnectionKey,
): Promise<KeyReplacement> {
  requireRole(ctx, 'admin')
  const { apiKey, test: wanted } = parseInput(ReplaceConnectionKey, input)
  const row = await requireConnection(connectionId)
  const open = wanted ? await openConnection(db(), { ...row, secretId: null }) : null
  const test = open && (await probeAs(ctx, { ...open, apiKey }, row.name))
  if (test && test.outcome !== 'ok') return { stored: false, test }
  const { lastFour } = await setConnectionKey(ctx, row.id, apiKey, {
    host: secretsHost(connectionFacts(row)),
  })
  if (test) await recordConnectionTest(row.id, test)
  return { stored: true, lastFour, test }
}

import 'server-only'
import { connectionFacts } from '@/lib/domains/connections/connection-facts'
import { changedHeaders } from '@/lib/domains/connections/header-changes'
import { type OpenConnection, openConnection } from '@/lib/domains/connections/open-connection'
import { requireAllowedAddress } from '@/lib/domains/connections/require-allowed-address'
import { requireConnection } from '@/lib/domains/connections/require-connection'
import {
  ConnectionFacts,
  type ConnectionTest,
  CreateConnection,
} from '@/lib/domains/connections/schemas'
import { adviceWithNewKey } from '@/lib/engines/providers/connection-advice'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { parseInput } from '@/lib/kernel/parse-input'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { probeAs } from './test-connection'

/** `withheld` = the stored key or headers were not sent, because they belong to another host. */
export type DraftTest = ConnectionTest & { withheld: boolean }

/**
 * Tests the values of a form and stores nothing. Secrets of a stored connection (`id`) that were left empty come from
 * the vault, but only for the host they were stored for. Admins only.
 */
export async function testConnectionDraft(
  ctx: Ctx,
  id: string | null,
  input: CreateConnection,
): Promise<DraftTest> {
  requireRole(ctx, 'admin')
  const { apiKey, headers, ...given } = parseInput(CreateConnection, input)
  const facts = parseInput(ConnectionFacts, given)
  await requireAllowedAddress(facts)
  const stored = id === null ? nothingStored : await readStored(id, facts)
  const connection: OpenConnection = {
    wire: facts.wire,
    baseUrl: facts.baseUrl,
    settings: facts.settings,
    organisation: facts.organisation,
    apiKey: apiKey ?? stored.apiKey,
    headers: changedHeaders(stored.headers, headers),
    privateAddressAllowed: facts.privateAddressAllowed,
    timeouts: {
      ...(facts.connectTimeoutMs !== null && { connectMs: facts.connectTimeoutMs }),
      ...(facts.firstByteTimeoutMs !== null && { firstByteMs: facts.firstByteTimeoutMs }),
      ...(facts.idleTimeoutMs !== null && { idleMs: facts.idleTimeoutMs }),
    },
  }
  const test = await probeAs(ctx, connection, facts.name)
  const message = adviceWithNewKey(test.message)
  return { ...test, message, withheld: stored.withheld && apiKey === null }
}

type Stored = Pick<OpenConnection, 'apiKey' | 'headers'> & { withheld: boolean }

const nothingStored: Stored = { apiKey: null, headers: {}, withheld: false }

async function readStored(id: string, facts: ConnectionFacts): Promise<Stored> {
  const row = await requireConnection(id)
  if (secretsHost(facts) !== secretsHost(connectionFacts(row))) {
    return { ...nothingStored, withheld: row.secretId !== null || row.headersSecretId !== null }
  }
  const { apiKey, headers } = await openConnection(db(), row)
  return { apiKey, headers, withheld: false }
}

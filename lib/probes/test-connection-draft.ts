import 'server-only'
import { z } from 'zod'
import { requireAllowedAddress } from '@/lib/domains/connections/checks'
import { changedHeaders } from '@/lib/domains/connections/header-changes'
import {
  connectionFacts,
  type OpenConnection,
  openConnection,
  withSecrets,
} from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import {
  ConnectionFacts,
  ConnectionTest,
  CreateConnection,
} from '@/lib/domains/connections/schemas'
import { connectionHost, secretsHost } from '@/lib/domains/connections/shared/wire-address'
import { staysInside } from '@/lib/domains/connections/zone-confirmation'
import { verb } from '@/lib/edge/verb'
import { adviceWithNewKey } from '@/lib/engines/providers/failures/connection-advice'
import { db } from '@/lib/kernel/db'
import { parseInput } from '@/lib/kernel/parse-input'
import { probeAs } from './test-connection'

/** `withheld` = the stored key or headers were not sent, because they belong to another host. */
const DraftTest = ConnectionTest.extend({ withheld: z.boolean() })
export type DraftTest = z.output<typeof DraftTest>

/**
 * Tests settings of a connection. Stores nothing. Secrets of a stored connection (`id`; null: it is new) that were left
 * empty come from the vault, but only for the host they were stored for.
 */
export const testConnectionDraft = verb({
  name: 'connection.test-draft',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Tests the values of a form with the provider.',
  input: CreateConnection.extend({ id: z.string().nullable() }),
  output: DraftTest,
  transaction: false,
  run: async ({ ctx }, { id, apiKey, headers, confirmZone, reason: _, ...given }) => {
    const facts = parseInput(ConnectionFacts, given)
    await requireAllowedAddress(facts)
    const stored = id === null ? nothingStored : await readStored(id, facts)
    const isConfirmed = confirmZone.toLowerCase() === connectionHost(facts)
    const connection = withSecrets(facts, {
      publicAddressRefused: !isConfirmed && staysInside(facts, stored.confirmation),
      apiKey: apiKey ?? stored.apiKey,
      headers: changedHeaders(stored.headers, headers),
    })
    const test = await probeAs(ctx, connection, facts.name)
    const message = adviceWithNewKey(test.message)
    return { ...test, message, withheld: stored.withheld && apiKey === null }
  },
})

type Stored = Pick<OpenConnection, 'apiKey' | 'headers'> & {
  withheld: boolean
  /** Column with the confirmation of the trust zone. */
  confirmation: unknown
}

const nothingStored: Stored = { apiKey: null, headers: {}, withheld: false, confirmation: null }

async function readStored(id: string, facts: ConnectionFacts): Promise<Stored> {
  const row = await requireConnection(id)
  const confirmation = row.zoneConfirmation
  if (secretsHost(facts) !== secretsHost(connectionFacts(row))) {
    const withheld = row.secretId !== null || row.headersSecretId !== null
    return { ...nothingStored, withheld, confirmation }
  }
  const { apiKey, headers } = await openConnection(db(), row)
  return { apiKey, headers, withheld: false, confirmation }
}

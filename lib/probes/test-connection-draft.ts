import 'server-only'
import { requireAllowedAddress } from '@/lib/domains/connections/checks'
import { changedHeaders } from '@/lib/domains/connections/header-changes'
import { withSecrets } from '@/lib/domains/connections/open-connection'
import {
  ConnectionFacts,
  ConnectionTest,
  CreateConnection,
} from '@/lib/domains/connections/schemas'
import { connectionHost } from '@/lib/domains/connections/shared/wire-address'
import { staysInside } from '@/lib/domains/connections/zone-confirmation'
import { verb } from '@/lib/edge/verb'
import { adviceWithNewKey } from '@/lib/engines/providers/failures/connection-advice'
import { parseInput } from '@/lib/kernel/parse-input'
import { probeAs } from './test-connection'

/** Tests settings of a new connection. Stores nothing. */
export const testConnectionDraft = verb({
  name: 'connection.test-draft',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Tests the values of a form with the provider.',
  input: CreateConnection,
  output: ConnectionTest,
  transaction: false,
  run: async ({ ctx }, { apiKey, headers, confirmZone, reason: _, ...given }) => {
    const facts = parseInput(ConnectionFacts, given)
    await requireAllowedAddress(facts)
    const isConfirmed = confirmZone.toLowerCase() === connectionHost(facts)
    const connection = withSecrets(facts, {
      publicAddressRefused: !isConfirmed && staysInside(facts, null),
      apiKey,
      headers: changedHeaders({}, headers),
    })
    const test = await probeAs(ctx, connection, facts.name)
    return { ...test, message: adviceWithNewKey(test.message) }
  },
})

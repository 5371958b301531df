import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation, withTransaction } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { trustZoneColumn, wireColumn } from '../rows/column-names'
import { shownPart, storeSecret } from '../vault/store-secret'
import { requireFittingKey } from './fitting-key'
import { changedHeaders } from './header-changes'
import { requireAllowedAddress } from './require-allowed-address'
import { ConnectionFacts, CreateConnection } from './schemas'
import { secretPurpose } from './secret-purpose'
import { storeHeaders } from './store-headers'
import { confirmedZone } from './zone-confirmation'

/**
 * Stores a provider; its key and headers go into the vault. ConflictError when the name is taken, ValidationError for
 * an address that nobody allowed, or that contradicts the trust zone without being confirmed (SPEC A8). Admins only.
 */
export async function createConnection(ctx: Ctx, input: CreateConnection): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const {
    apiKey,
    headers: changes,
    confirmZone,
    reason,
    ...given
  } = parseInput(CreateConnection, input)
  const facts = parseInput(ConnectionFacts, given)
  requireFittingKey(facts, apiKey)
  await requireAllowedAddress(facts)
  const confirmed = await confirmedZone(ctx, facts, { confirmZone, reason, stored: null })
  const headers = changedHeaders({}, changes)
  try {
    return await withTransaction(async (tx) => {
      const secret =
        apiKey === null
          ? null
          : await storeSecret(tx, { purpose: secretPurpose, plaintext: apiKey })
      const connection = await tx.connection.create({
        data: {
          ...facts,
          wire: wireColumn(facts.wire),
          trustZone: trustZoneColumn(facts.trustZone),
          ...(confirmed && { zoneConfirmation: confirmed }),
          secretId: secret?.id ?? null,
          ...(await storeHeaders(tx, null, headers)),
        },
      })
      await recordAudit(tx, ctx, {
        action: 'connection.create',
        objectType: 'connection',
        objectId: connection.id,
        after: {
          ...facts,
          hasStoredKey: secret !== null,
          ...(apiKey !== null && { lastFour: shownPart(apiKey) }),
          headerNames: Object.keys(headers),
          ...(confirmed && { zoneConfirmedFor: confirmed.host }),
        },
        reason,
      })
      return { id: connection.id }
    })
  } catch (error) {
    if (isUniqueViolation(error))
      throw new ConflictError('Another connection has this name.', 'name')
    throw error
  }
}

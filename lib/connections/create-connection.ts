import { recordAudit } from '../audit/record-audit'
import { trustZoneColumn, wireColumn } from '../column-names'
import { type Ctx, requireRole } from '../context'
import { isUniqueViolation, withTransaction } from '../db'
import { ConflictError } from '../errors'
import { parseInput } from '../parse-input'
import { shownPart, storeSecret } from '../vault/store-secret'
import { changedHeaders } from './header-changes'
import { requireAllowedAddress } from './require-allowed-address'
import { ConnectionFacts, CreateConnection } from './schemas'
import { secretPurpose } from './secret-purpose'
import { storeHeaders } from './store-headers'

/**
 * Stores a provider; its key and headers go into the vault. ConflictError when the name is taken, ValidationError for
 * an address that nobody allowed. Admins only.
 */
export async function createConnection(ctx: Ctx, input: CreateConnection): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const { apiKey, headers: changes, ...given } = parseInput(CreateConnection, input)
  const facts = parseInput(ConnectionFacts, given)
  await requireAllowedAddress(facts)
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
        },
      })
      return { id: connection.id }
    })
  } catch (error) {
    if (isUniqueViolation(error))
      throw new ConflictError('A connection has this name already.', 'name')
    throw error
  }
}

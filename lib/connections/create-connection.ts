import { recordAudit } from '../audit/record-audit'
import { trustZoneColumn, wireColumn } from '../column-names'
import { type Ctx, requireRole } from '../context'
import { isUniqueViolation, withTransaction } from '../db'
import { ConflictError } from '../errors'
import { parseInput } from '../parse-input'
import { storeSecret } from '../vault/store-secret'
import { CreateConnection } from './schemas'
import { secretPurpose } from './secret-purpose'

/** Stores a provider; its key goes into the vault. ConflictError when the name is taken. Admins only. */
export async function createConnection(ctx: Ctx, input: CreateConnection): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const { apiKey, ...facts } = parseInput(CreateConnection, input)
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
        },
      })
      await recordAudit(tx, ctx, {
        action: 'connection.create',
        objectType: 'connection',
        objectId: connection.id,
        after: { ...facts, hasStoredKey: secret !== null },
      })
      return { id: connection.id }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError('A connection has this name already.')
    throw error
  }
}

import { type Ctx, requireRole } from '../../kernel/context'
import { ConflictError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { trustZoneOf, wireOf } from '../rows/column-names'
import { type ConnectionUsers, connectionUsers } from './connection-users'
import { lockConnection } from './lock-connection'

/**
 * Deletes a provider with its key and headers. ConflictError, which names them, while it has models or configurations
 * that use them. Past runs keep what they say of it. Admins only.
 */
export async function deleteConnection(
  ctx: Ctx,
  connectionId: string,
  input: WithReason = {},
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const { reason } = parseInput(WithReason, input)
  await changePolicy(async (tx) => {
    // A model that is being added waits for this lock, and then finds no connection.
    const row = await lockConnection(tx, id)
    const users = await connectionUsers(tx, id)
    if (users.models.length > 0) throw new ConflictError(inUse(row.name, users))
    const keys = await tx.connectionKey.findMany({ where: { connectionId: id } })
    await tx.connection.delete({ where: { id } })
    const secrets = [row.secretId, row.headersSecretId, ...keys.map((key) => key.secretId)].filter(
      (each) => each !== null,
    )
    await tx.vaultSecret.deleteMany({ where: { id: { in: secrets } } })
    await recordAudit(tx, ctx, {
      action: 'connection.delete',
      objectType: 'connection',
      objectId: id,
      before: {
        name: row.name,
        wire: wireOf(row.wire),
        baseUrl: row.baseUrl,
        trustZone: trustZoneOf(row.trustZone),
        headerNames: row.headerNames,
      },
      reason,
    })
  })
}

const mostNames = 5

function inUse(name: string, { models, configurations }: ConnectionUsers): string {
  const modelNames = listed(models.map(({ modelId }) => modelId))
  if (configurations.length === 0) {
    return `${name} has models: ${modelNames}. Delete them first. No configuration uses them.`
  }
  const users = listed(configurations.map((each) => each.name))
  return `${name} is in use. These configurations use its models (${modelNames}): ${users}. Change the models of those configurations, delete its models, and then delete the connection.`
}

function listed(names: string[]): string {
  const rest = names.length - mostNames
  return rest > 0 ? `${names.slice(0, mostNames).join(', ')} and ${rest} more` : names.join(', ')
}

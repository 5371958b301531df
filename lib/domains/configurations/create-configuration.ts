import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { parseInput } from '../../kernel/parse-input'
import { defaultParameters, parametersIn, storedParameters } from '../../protocol/parameters'
import { recordAudit } from '../audit/record-audit'
import { beginHistory } from '../rows/configuration-history'
import { requireChain, requireExtraBody } from './require-chain'
import { requireGroups } from './require-groups'
import { CreateConfiguration, columnsOf } from './schemas'
import { withOwnIdentifier } from './with-own-identifier'

/**
 * Adds what people pick to run with, and its version 1. ConflictError when the identifier is taken, ValidationError
 * for a chain no run could walk. Admins only.
 */
export async function createConfiguration(
  ctx: Ctx,
  input: CreateConfiguration,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const { note, ...parsed } = parseInput(CreateConfiguration, input)
  const { modelId, fallbackModelIds, groupIds, allowedToolGroups } = parsed
  const parameters = { ...defaultParameters, ...parametersIn(parsed) }
  return withOwnIdentifier(() =>
    withTransaction(async (tx) => {
      await requireChain(tx, { modelId, fallbackIds: fallbackModelIds, known: [] })
      await requireExtraBody(tx, [modelId, ...fallbackModelIds], parameters.extraBody)
      await requireGroups(tx, groupIds)
      const fallbacks = fallbackModelIds.map((id, position) => ({ modelId: id, position }))
      const { id } = await tx.configuration.create({
        data: {
          ...columnsOf(parsed),
          parameters: storedParameters(parameters),
          allowedToolGroups: allowedToolGroups ?? Prisma.DbNull,
          fallbacks: { create: fallbacks },
          groups: { create: [...new Set(groupIds)].map((groupId) => ({ groupId })) },
        },
      })
      await beginHistory(tx, ctx, id, note)
      await recordAudit(tx, ctx, {
        action: 'configuration.create',
        objectType: 'configuration',
        objectId: id,
        after: parsed,
        reason: note,
      })
      return { id }
    }),
  )
}

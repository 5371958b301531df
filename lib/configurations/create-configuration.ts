import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { isUniqueViolation, type Tx, withTransaction } from '../db'
import { ConflictError, ValidationError } from '../errors'
import { Prisma } from '../generated/prisma/client'
import { parseInput } from '../parse-input'
import { CreateConfiguration } from './schemas'

/** Adds what people pick to run with. ConflictError when the identifier is taken. Admins only. */
export async function createConfiguration(
  ctx: Ctx,
  input: CreateConfiguration,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const parsed = parseInput(CreateConfiguration, input)
  const { fallbackModelIds, groupIds, allowedToolGroups, ...facts } = parsed
  try {
    return await withTransaction(async (tx) => {
      await requireModels(tx, facts.modelId, fallbackModelIds)
      await requireGroups(tx, groupIds)
      const fallbacks = fallbackModelIds.map((modelId, position) => ({ modelId, position }))
      const configuration = await tx.configuration.create({
        data: {
          ...facts,
          allowedToolGroups: allowedToolGroups ?? Prisma.DbNull,
          fallbacks: { create: fallbacks },
          groups: { create: groupIds.map((groupId) => ({ groupId })) },
        },
      })
      await recordAudit(tx, ctx, {
        action: 'configuration.create',
        objectType: 'configuration',
        objectId: configuration.id,
        after: parsed,
      })
      return { id: configuration.id }
    })
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new ConflictError('A configuration has this identifier already.')
    }
    throw error
  }
}

async function requireModels(tx: Tx, modelId: string, fallbackIds: string[]): Promise<void> {
  const all = new Set([modelId, ...fallbackIds])
  if (all.size !== fallbackIds.length + 1) {
    throw new ValidationError({ fallbackModelIds: 'Name each model once.' })
  }
  const found = await tx.model.findMany({ where: { id: { in: [...all] } }, select: { id: true } })
  if (!found.some(({ id }) => id === modelId)) {
    throw new ValidationError({ modelId: 'This model does not exist any more. Pick another.' })
  }
  if (found.length !== all.size) {
    throw new ValidationError({ fallbackModelIds: 'A fallback model does not exist any more.' })
  }
}

async function requireGroups(tx: Tx, groupIds: string[]): Promise<void> {
  const found = await tx.group.count({ where: { id: { in: groupIds } } })
  if (found !== new Set(groupIds).size) {
    throw new ValidationError({ groupIds: 'A group does not exist any more.' })
  }
}

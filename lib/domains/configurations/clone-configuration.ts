import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { ConfigurationParameters, storedParameters } from '../../protocol/parameters'
import { recordAudit } from '../audit/record-audit'
import { beginHistory } from '../rows/configuration-history'
import { CloneConfiguration } from './schemas'
import { withOwnIdentifier } from './with-own-identifier'

/**
 * Adds a configuration that is like another one under a new identifier, with its skills and its chain. Nobody but
 * admins may use it until it is opened, and a raised data class is not copied: each has to be decided for itself.
 * ConflictError when the identifier is taken. Admins only.
 */
export async function cloneConfiguration(
  ctx: Ctx,
  configurationId: string,
  input: CloneConfiguration,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const from = parseId(configurationId, 'The configuration')
  const names = parseInput(CloneConfiguration, input)
  return withOwnIdentifier(() =>
    changePolicy(async (tx) => {
      const row = await tx.configuration.findUnique({ where: { id: from } })
      if (!row) throw new NotFoundError('The configuration')
      const { id: _, version: __, createdAt: ___, updatedAt: ____, ...facts } = row
      const { id } = await tx.configuration.create({
        data: {
          ...facts,
          ...names,
          parameters: storedParameters(ConfigurationParameters.parse(row.parameters)),
          raisedDataClass: null,
          allowedToolGroups: facts.allowedToolGroups ?? Prisma.DbNull,
        },
      })
      const where = { configurationId: from }
      for (const fallback of await tx.configurationFallback.findMany({ where })) {
        await tx.configurationFallback.create({ data: { ...fallback, configurationId: id } })
      }
      for (const skill of await tx.configurationSkill.findMany({ where })) {
        await tx.configurationSkill.create({ data: { ...skill, configurationId: id } })
      }
      await beginHistory(tx, ctx, id, `A copy of ${row.identifier}, version ${row.version}.`)
      await recordAudit(tx, ctx, {
        action: 'configuration.clone',
        objectType: 'configuration',
        objectId: id,
        after: { ...names, copyOf: row.identifier, version: row.version },
      })
      return { id }
    }),
  )
}

import type { Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import type { Actor, DenialPart } from '../../protocol/tool'
import { storedFault } from './require-chain'

const link = {
  select: {
    displayName: true,
    enabled: true,
    connection: { select: { name: true, enabled: true, wire: true } },
  },
} as const satisfies Prisma.ModelDefaultArgs

/**
 * Why this person cannot start a run with a configuration, in one sentence for people and by the part of it that says
 * so; null when they can (SPEC A1).
 * The other side of `visibleConfigurations`, and of what keeps `startRun` from it.
 */
export async function closedBecause(
  tx: Tx,
  { userId, email, role }: Actor,
  configurationId: string,
): Promise<{ part?: DenialPart; reason: string } | null> {
  const row = await tx.configuration.findUnique({
    where: { id: configurationId },
    select: {
      name: true,
      enabled: true,
      parameters: true,
      model: link,
      fallbacks: {
        where: { model: { enabled: true, connection: { enabled: true } } },
        select: { model: link },
      },
      groups: { where: { group: { members: { some: { userId } } } }, take: 1 },
    },
  })
  if (!row) throw new NotFoundError('The configuration')
  const { connection, displayName } = row.model
  if (!row.enabled) {
    return { part: 'switch', reason: `The configuration ${row.name} is switched off.` }
  }
  if (!connection.enabled) {
    return {
      part: 'switch',
      reason: `${connection.name}, which ${row.name} uses, is switched off.`,
    }
  }
  if (!row.model.enabled) {
    return { part: 'switch', reason: `${displayName}, which ${row.name} uses, is switched off.` }
  }
  const fault = storedFault(row.parameters, [row.model, ...row.fallbacks.map(({ model }) => model)])
  if (fault !== null) return { reason: `The configuration ${row.name} cannot run. ${fault}` }
  if (role === 'admin' || row.groups.length > 0) return null
  const reason = `${email} is not in a group that may use the configuration ${row.name}.`
  return { part: 'audience', reason }
}

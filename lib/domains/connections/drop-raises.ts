import type { Prisma } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { keptRaise, type TrustZone } from '../../protocol/model-target'
import { DataClass } from '../../protocol/tool'
import { recordAudit } from '../audit/record-audit'
import { trustZoneOf } from '../rows/column-names'
import { changeConfiguration } from '../rows/configuration-history'

const zoneOf = {
  select: { connectionId: true, connection: { select: { trustZone: true } } },
} as const satisfies Prisma.ModelDefaultArgs

type Rezoning = { connectionId: string; name: string; zone: TrustZone; reason: string }

/**
 * Takes back what configurations may send beyond their zone where `zone` makes this connection trusted less than
 * everyone in their chain was (SPEC G7), each as a version of its own and in the audit. Before the connection is
 * written, in its transaction, which holds the policy lock exclusively.
 */
export async function dropRaises(
  tx: Tx,
  ctx: Ctx,
  { connectionId, name, zone, reason }: Rezoning,
): Promise<void> {
  const rows = await tx.configuration.findMany({
    where: {
      raisedDataClass: { not: null },
      OR: [{ model: { connectionId } }, { fallbacks: { some: { model: { connectionId } } } }],
    },
    select: { id: true, identifier: true, raisedDataClass: true, model: zoneOf },
    orderBy: { id: 'asc' },
  })
  for (const { id, identifier, model, ...row } of rows) {
    const raised = DataClass.nullable().parse(row.raisedDataClass)
    const fallbacks = await tx.configurationFallback.findMany({
      where: { configurationId: id },
      select: { model: zoneOf },
    })
    const chain = [model, ...fallbacks.map((each) => each.model)]
    const before = chain.map(({ connection }) => trustZoneOf(connection.trustZone))
    const after = chain.map((link, index) =>
      link.connectionId === connectionId ? zone : (before[index] ?? zone),
    )
    const raisedDataClass = keptRaise(raised, { before, after })
    if (raisedDataClass === raised) continue
    const change = { configurationId: id, note: `${name} has a lower trust zone now: ${reason}` }
    await changeConfiguration(tx, ctx, change, () =>
      tx.configuration.update({ where: { id }, data: { raisedDataClass } }),
    )
    await recordAudit(tx, ctx, {
      action: 'configuration.update-policy',
      objectType: 'configuration',
      objectId: id,
      before: { identifier, raisedDataClass: raised },
      after: { identifier, raisedDataClass },
      reason,
    })
  }
}

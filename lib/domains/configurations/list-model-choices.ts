import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import type { Prices } from '../../protocol/cost'
import { ReasoningEffort } from '../../protocol/parameter-values'
import { ModelParameter } from '../../protocol/parameters'
import { type TrustZone, trustZoneOf, type Wire, wireOf } from '../rows/column-names'
import { pricesOf, validPrice } from '../rows/model-prices'

/** A model as somebody picks it for a configuration. Prices are those of this moment, null where unknown. */
export type ModelChoice = {
  id: string
  modelId: string
  name: string
  connectionName: string
  wire: Wire
  trustZone: TrustZone
  /** False = no run reaches it: it is switched off, or its connection is. */
  enabled: boolean
  toolCalling: 'confirmed' | 'unconfirmed' | 'unsupported'
  contextTokens: number | null
  maxOutputTokens: number | null
  /** Whether it thinks before it answers; null = not known. */
  reasoning: boolean | null
  /** The efforts it may be asked for; empty = not known. */
  reasoningEfforts: ReasoningEffort[]
  /** What it refuses and is therefore not sent. */
  unsupportedParameters: ModelParameter[]
  prices: Prices
}

/** Every model by connection and name, those that are switched off as well. Admins only. */
export async function listModelChoices(ctx: Ctx): Promise<ModelChoice[]> {
  requireRole(ctx, 'admin')
  const rows = await db().model.findMany({
    include: { connection: true, prices: validPrice(new Date()) },
    orderBy: [{ connection: { name: 'asc' } }, { displayName: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => ({
    id: row.id,
    modelId: row.modelId,
    name: row.displayName,
    connectionName: row.connection.name,
    wire: wireOf(row.connection.wire),
    trustZone: trustZoneOf(row.connection.trustZone),
    enabled: row.enabled && row.connection.enabled,
    toolCalling: row.toolCalling,
    contextTokens: row.contextTokens,
    maxOutputTokens: row.maxOutputTokens,
    reasoning: row.reasoning,
    reasoningEfforts: z.array(ReasoningEffort).parse(row.reasoningEfforts),
    unsupportedParameters: z.array(ModelParameter).parse(row.unsupportedParameters),
    prices: pricesOf(row),
  }))
}

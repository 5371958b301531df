import type { CreateConfiguration } from '@/lib/domains/configurations/schemas'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { CreateConnection } from '@/lib/domains/connections/schemas'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { KnownModel } from './known-models'

export type SeededProvider = {
  connection: CreateConnection
  /** The first one is what the configuration uses. */
  models: readonly [KnownModel, ...KnownModel[]]
  configuration: Omit<CreateConfiguration, 'modelId'>
}

/** Creates what is missing of a provider, its models and one configuration; a first start that was cut short goes on. */
export async function seedProvider(provider: SeededProvider): Promise<void> {
  const { connection, models, configuration } = provider
  const ctx = systemCtx()
  const stored = await db().connection.findUnique({ where: { name: connection.name } })
  const connectionId = stored?.id ?? (await createConnection(ctx, connection)).id
  const ids: string[] = []
  for (const model of models) ids.push(await ensureModel(connectionId, model))
  const [modelId] = ids
  const { identifier } = configuration
  const exists = await db().configuration.findUnique({ where: { identifier } })
  if (exists || !modelId) return
  await createConfiguration(ctx, { ...configuration, modelId })
}

async function ensureModel(connectionId: string, model: KnownModel): Promise<string> {
  const { modelId } = model
  const key = { connectionId_modelId: { connectionId, modelId } }
  const stored = await db().model.findUnique({ where: key })
  return stored?.id ?? (await createModel(systemCtx(), { ...model, connectionId })).id
}

import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { ModelTarget } from '@/lib/protocol/model/model-target'

type LocalModel = {
  wire: ModelTarget['wire']
  connectionName: string
  url: string
  unpriced?: boolean
  modelId?: string
  displayName?: string
}

const prices = {
  input: 3_000_000,
  output: 15_000_000,
  cachedInput: 300_000,
  cacheWrite: 3_750_000,
  reasoning: null,
}

/** Adds a model behind a local server that speaks `wire`, and returns the id of its row. */
export async function addLocalModel(
  admin: Ctx,
  { wire, connectionName, url, unpriced = false, ...names }: LocalModel,
): Promise<string> {
  const connection = await createConnection(admin, {
    name: connectionName,
    wire,
    baseUrl: wire.startsWith('openai') ? `${url}/v1` : url,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: 'sk-test-0123456789abcdef',
  })
  const { id } = await createModel(admin, {
    connectionId: connection.id,
    modelId: 'test-model',
    displayName: 'Test model',
    ...names,
    contextTokens: 100_000,
    maxOutputTokens: 4_000,
    toolCalling: 'confirmed',
    ...(!unpriced && { prices }),
  })
  return id
}

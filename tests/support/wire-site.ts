import { randomUUID } from 'node:crypto'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { Prices } from '@/lib/protocol/cost/money'
import { Wire } from '@/lib/protocol/parameters/parameter-values'
import { db } from './fixture-db'
import type { RunSite } from './run-site'

/** The API types that are spoken over HTTP: the demo has no provider. */
export const spokenWires = Wire.exclude(['demo']).options

const settings: Partial<Record<Wire, Record<string, string>>> = {
  bedrock: { region: 'eu-central-1', accessKeyId: 'AKIDEXAMPLE012345' },
}

/** Adds a configuration whose model is served at `url` over this API type. In prompted mode it is offered no tools there. */
export async function addWireSite(
  admin: Ctx,
  url: string,
  {
    wire,
    toolMode = 'auto',
    prices,
  }: { wire: Wire; toolMode?: 'auto' | 'prompted'; prices?: Prices },
): Promise<RunSite> {
  const name = `${wire} ${randomUUID()}`
  const hasVersion = wire.endsWith('openai') || wire === 'openai-compatible'
  const connection = await createConnection(admin, {
    name,
    wire,
    trustZone: 'local',
    privateAddressAllowed: true,
    baseUrl: hasVersion ? `${url}/v1` : url,
    settings: settings[wire] ?? {},
    apiKey: 'sk-test-0123456789abcdef',
  })
  const { id: modelId } = await createModel(admin, {
    connectionId: connection.id,
    modelId: 'test-model',
    displayName: name,
    contextTokens: 100_000,
    maxOutputTokens: 4_000,
    toolCalling: 'confirmed',
    ...(prices && { prices }),
  })
  const identifier = `every-${randomUUID().slice(0, 8)}`
  const { id } = await createConfiguration(admin, {
    identifier,
    name,
    modelId,
    maxRounds: 9,
    toolMode,
    options: { promptedHops: 9 },
  })
  // The write is to wait because it writes, not because a page was read before it.
  await db().configuration.update({ where: { id }, data: { afterUntrusted: 'allow' } })
  return { admin, configuration: identifier }
}

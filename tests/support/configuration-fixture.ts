import { randomUUID } from 'node:crypto'
import { readEditableConfiguration } from '@/lib/domains/configurations/reads'
import type { CreateConfiguration, UpdateConfiguration } from '@/lib/domains/configurations/schemas'
import { createConfiguration, updateConfiguration } from '@/lib/domains/configurations/verbs'
import { listConfigurationVersions } from '@/lib/domains/configurations/version-verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import { explainTools } from '@/lib/toolset/policy/explain-tools'

/** Returns text that makes the names of one test different from those of others. */
export const tag = () => randomUUID().slice(0, 8)

/** Adds a model that no test asks, on a connection of its own. */
export async function addModel(
  admin: Ctx,
  trustZone: TrustZone = 'external-global',
  name = tag(),
): Promise<string> {
  const isNear = trustZone === 'local' || trustZone === 'private'
  const { id: connectionId } = await createConnection(admin, {
    name: `Far ${name}`,
    wire: 'openai-compatible',
    trustZone,
    baseUrl: 'https://llm.example.org/v1',
    ...(isNear && { confirmZone: 'llm.example.org', reason: 'on our own network' }),
    apiKey: null,
  })
  const prices = { input: 1, output: 2, cachedInput: null, cacheWrite: null, reasoning: null }
  const model = { connectionId, modelId: `m-${name}`, displayName: `Model ${name}`, prices }
  return (await createModel(admin, model)).id
}

/** Adds a configuration with these settings, on a model of its own unless they name one. */
export async function addConfiguration(
  admin: Ctx,
  fields: Partial<CreateConfiguration> = {},
): Promise<string> {
  const identifier = `c-${tag()}`
  const modelId = fields.modelId ?? (await addModel(admin))
  const names = { identifier, name: `The ${identifier}` }
  return (await createConfiguration(admin, { ...names, ...fields, modelId })).id
}

/** Returns its current settings. */
export async function formOf(admin: Ctx, id: string) {
  return (await readEditableConfiguration(admin, { id })).form
}

/** Returns its history, newest first. */
export async function versionsOf(admin: Ctx, id: string) {
  return (await listConfigurationVersions(admin, id)).versions
}

/** Changes it as somebody who looked at it just before. */
export async function edit(
  admin: Ctx,
  id: string,
  changes: Omit<UpdateConfiguration, 'id' | 'version'>,
) {
  const { version } = await readEditableConfiguration(admin, { id })
  return updateConfiguration(admin, { ...changes, id, version })
}

/** Returns the gate that denies the tool to its runs, or 'allowed'. */
export async function gateOf(admin: Ctx, id: string, name: string): Promise<string> {
  const request = { userId: null, configuration: id, selected: null }
  const verdict = (await explainTools(admin, request)).find((tool) => tool.name === name)?.verdict
  return verdict?.allowed === false ? verdict.gate : 'allowed'
}

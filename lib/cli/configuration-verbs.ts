import { createConfiguration } from '@/lib/configurations/create-configuration'
import { listConfigurations } from '@/lib/configurations/list-configurations'
import { findConnection } from '@/lib/connections/find-connection'
import type { Ctx } from '@/lib/context'
import { ConflictError } from '@/lib/errors'
import { findGroup } from '@/lib/groups/find-group'
import { createModel } from '@/lib/models/create-model'
import { listModels } from '@/lib/models/list-models'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { readStandardInput } from './read-standard-input'

/** Prices are US dollars for a million tokens. */
type ModelOptions = {
  displayName?: string
  contextTokens?: number
  toolCalling?: 'confirmed' | 'unconfirmed' | 'unsupported'
  inputPrice?: number
  outputPrice?: number
  cachedInputPrice?: number
  cacheWritePrice?: number
  reasoningPrice?: number
}

export type AddConfigurationOptions = CommonOptions &
  ModelOptions & {
    connection: string
    model: string
    identifier: string
    name: string
    description?: string
    systemPrompt?: string
    temperature?: number
    maxOutputTokens?: number
    maxRounds?: number
    groups?: string[]
  }

const maxSystemPromptBytes = 400_000

export async function printConfigurations(options: CommonOptions): Promise<void> {
  const configurations = await listConfigurations(await actingCtx(options.as))
  if (options.json) return printJson(configurations)
  printTable(
    ['IDENTIFIER', 'NAME', 'CONNECTION', 'MODEL', 'TRUST ZONE', 'ROUNDS'],
    configurations.map((configuration) => [
      configuration.identifier,
      configuration.name,
      configuration.connectionName,
      configuration.modelId,
      configuration.trustZone,
      String(configuration.maxRounds),
    ]),
  )
}

export async function addConfiguration(options: AddConfigurationOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { identifier, name, description, temperature, maxOutputTokens, maxRounds } = options
  const systemPrompt =
    options.systemPrompt === '-'
      ? await readStandardInput(maxSystemPromptBytes)
      : options.systemPrompt
  const groupIds: string[] = []
  for (const group of options.groups ?? []) groupIds.push((await findGroup(ctx, group)).id)
  const modelId = await findOrCreateModel(ctx, options)
  const facts = { description, systemPrompt, temperature, maxOutputTokens, maxRounds, groupIds }
  const { id } = await createConfiguration(ctx, { identifier, name, modelId, ...facts })
  if (options.json) return printJson({ id, identifier, modelId })
  printLine(`Added the configuration ${identifier} (${id}).`)
}

async function findOrCreateModel(ctx: Ctx, options: AddConfigurationOptions): Promise<string> {
  const connection = await findConnection(ctx, options.connection)
  const known = (await listModels(ctx)).find(
    (model) => model.connectionId === connection.id && model.modelId === options.model.trim(),
  )
  if (known && describesModel(options)) {
    throw new ConflictError(
      'This connection has that model already: leave out what describes it (--display-name, --context-tokens, --tool-calling, prices).',
    )
  }
  if (known) return known.id
  const { model, displayName = model.slice(0, 100), contextTokens, toolCalling } = options
  const facts = { displayName, contextTokens, toolCalling, prices: pricesOf(options) }
  return (await createModel(ctx, { connectionId: connection.id, modelId: model, ...facts })).id
}

function describesModel(options: ModelOptions): boolean {
  const { displayName, contextTokens, toolCalling } = options
  const prices = Object.values(pricesOf(options))
  return (
    [displayName, contextTokens, toolCalling].some(given) || prices.some((price) => price !== null)
  )
}

function given(value: unknown): boolean {
  return value !== undefined
}

function pricesOf(options: ModelOptions) {
  return {
    input: toMicroUsd(options.inputPrice),
    output: toMicroUsd(options.outputPrice),
    cachedInput: toMicroUsd(options.cachedInputPrice),
    cacheWrite: toMicroUsd(options.cacheWritePrice),
    reasoning: toMicroUsd(options.reasoningPrice),
  }
}

function toMicroUsd(usd: number | undefined): number | null {
  return usd === undefined ? null : Math.round(usd * 1_000_000)
}

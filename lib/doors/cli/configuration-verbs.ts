import { listConfigurations } from '@/lib/domains/configurations/list-configurations'
import { findConnection } from '@/lib/domains/connections/reads'
import { listModels } from '@/lib/domains/models/reads'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError } from '@/lib/kernel/errors'
import { addConfiguration as add } from '@/lib/toolset/save-configuration'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { type ConfigurationOptions, formOf } from './configuration-options'
import { printJson, printLine, printTable } from './print'

/** Prices are micro-USD for a million tokens; null = unknown. */
type ModelOptions = {
  displayName?: string
  contextTokens?: number
  toolCalling?: 'confirmed' | 'unconfirmed' | 'unsupported'
  inputPrice?: number | null
  outputPrice?: number | null
  cachedInputPrice?: number | null
  cacheWritePrice?: number | null
  reasoningPrice?: number | null
}

export type AddConfigurationOptions = CommonOptions &
  ModelOptions &
  ConfigurationOptions & { connection: string; model: string; identifier: string; name: string }

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
      configuration.leastTrusted.zone,
      String(configuration.maxRounds),
    ]),
  )
  for (const { identifier, fault } of configurations) {
    if (fault !== null) printLine(`${identifier} cannot run. ${fault}`)
  }
}

export async function addConfiguration(options: AddConfigurationOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { identifier, name } = options
  const form = await formOf(ctx, options)
  const modelId = await findOrCreateModel(ctx, options)
  const { id } = await add(ctx, { ...form, identifier, name, modelId })
  if (options.json) return printJson({ id, identifier, modelId })
  printLine(`Added the configuration ${identifier} (${id}).`)
}

async function findOrCreateModel(ctx: Ctx, options: AddConfigurationOptions): Promise<string> {
  const connection = await findConnection(ctx, options.connection)
  const known = (await listModels(ctx, {})).find(
    (model) => model.connectionId === connection.id && model.modelId === options.model.trim(),
  )
  if (known && describesModel(options)) {
    throw new ConflictError(
      'This connection already has that model. Leave out the options that describe it (--display-name, --context-tokens, --tool-calling, prices).',
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
    input: options.inputPrice ?? null,
    output: options.outputPrice ?? null,
    cachedInput: options.cachedInputPrice ?? null,
    cacheWrite: options.cacheWritePrice ?? null,
    reasoning: options.reasoningPrice ?? null,
  }
}

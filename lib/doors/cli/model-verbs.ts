import { findConnection } from '@/lib/domains/connections/find-connection'
import { catalogueSays } from '@/lib/domains/models/catalogue/catalogue-says'
import { createModel } from '@/lib/domains/models/create-model'
import { deleteModel } from '@/lib/domains/models/delete-model'
import { listModels } from '@/lib/domains/models/list-models'
import { readModel } from '@/lib/domains/models/read-model'
import { Capability, type ModelListing, UpdateModel } from '@/lib/domains/models/schemas'
import { setModelEnabled } from '@/lib/domains/models/set-model-enabled'
import { updateModel } from '@/lib/domains/models/update-model'
import { parseInput } from '@/lib/kernel/parse-input'
import { stalePriceWords } from '@/lib/protocol/stale-price'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import {
  type GivenPrices,
  type ModelChoice,
  pickModel,
  pricesGiven,
  pricesText,
  priceText,
} from './model-options'
import { printJson, printLine, printTable } from './print'

type Answer = 'yes' | 'no' | 'unknown'
type FactOptions = {
  name?: string
  contextTokens?: number
  maxOutputTokens?: number
  toolCalling?: 'confirmed' | 'unconfirmed' | 'unsupported'
  structuredOutput?: Answer
  vision?: Answer
  reasoning?: Answer
  efforts?: string[]
  refuses?: string[]
}
export type ChangeModelOptions = ModelChoice & FactOptions
export type AddModelOptions = CommonOptions &
  FactOptions &
  GivenPrices & { connection: string; model: string; source?: string }

export async function printModels(options: CommonOptions): Promise<void> {
  const models = await listModels(await actingCtx(options.as))
  if (options.json) return printJson(models)
  printTable(
    ['MODEL', 'CONNECTION', 'CONTEXT', 'TOOLS', 'INPUT PRICE', 'OUTPUT PRICE', 'USED BY', 'STATE'],
    models.map((model) => [
      model.modelId,
      model.connectionName,
      model.contextTokens === null ? 'unknown' : String(model.contextTokens),
      toolsOf(model),
      priceText(model.prices.input),
      priceText(model.prices.output),
      String(model.usedBy.length),
      model.enabled && model.connectionEnabled ? 'on' : 'off',
    ]),
  )
}

export async function showModel(name: string, options: ModelChoice): Promise<void> {
  const ctx = await actingCtx(options.as)
  const model = await readModel(ctx, (await pickModel(ctx, name, options)).id)
  const catalogue = catalogueSays(model)
  if (options.json) return printJson({ ...model, catalogue })
  printTable(
    ['FACT', 'VALUE'],
    [
      ['id', model.id],
      ['name', model.displayName],
      ['connection', model.connectionName],
      [
        'context window',
        model.contextTokens === null ? 'unknown' : `${model.contextTokens} tokens`,
      ],
      [
        'max output',
        model.maxOutputTokens === null ? 'unknown' : `${model.maxOutputTokens} tokens`,
      ],
      ['tools', toolsOf(model)],
      ...Capability.options.map((each) => [each, answerOf(model[each])]),
      ['efforts', model.reasoningEfforts.join(', ') || 'unknown'],
      ['not accepted', model.unsupportedParameters.join(', ') || 'none'],
      ['used by', model.usedBy.map((use) => use.name).join(', ') || 'none'],
      ['state', model.enabled ? 'on' : 'off'],
    ],
  )
  for (const { validFrom, prices, source } of model.history) {
    printLine(`From ${validFrom}: ${pricesText(prices)}${source ? ` (${source})` : ''}`)
  }
  if (model.history.length === 0) printLine('Prices: unpriced.')
  if (model.stalePrice)
    printLine(`The price may be out of date: ${stalePriceWords(model.stalePrice)}.`)
  if (catalogue && catalogue.facts.length > 0) {
    printLine(`The catalogue differs in: ${catalogue.facts.join(', ')}.`)
  }
  if (catalogue?.entry.prices && catalogue.prices !== 'same') {
    const { prices, readOn, sources } = catalogue.entry
    printLine(`The catalogue says ${pricesText(prices)}, read on ${readOn} at ${sources[0]}.`)
  }
  if (catalogue?.entry.longPrompts) {
    const { aboveTokens, prices } = catalogue.entry.longPrompts
    printLine(`Prompts of more than ${aboveTokens} tokens: ${pricesText(prices)}.`)
  }
  if (catalogue?.entry.note) printLine(`Note of the catalogue: ${catalogue.entry.note}`)
}

export async function addModel(options: AddModelOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const connection = await findConnection(ctx, options.connection)
  const { displayName = options.model.slice(0, 100), ...facts } = factsGiven(options)
  const { id } = await createModel(ctx, {
    connectionId: connection.id,
    modelId: options.model,
    displayName,
    ...facts,
    prices: pricesGiven(options),
    priceSource: options.source,
  })
  if (options.json) return printJson({ id, modelId: options.model })
  printLine(`Added the model ${options.model} (${id}).`)
}

export async function changeModel(name: string, options: ChangeModelOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await pickModel(ctx, name, options)
  const changed = await updateModel(ctx, id, factsGiven(options))
  if (options.json) return printJson({ id, changed })
  printLine(changed ? 'Changed the model.' : 'The model did not change.')
}

export async function switchAndPrint(
  name: string,
  enabled: boolean,
  options: ModelChoice & { reason?: string },
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await pickModel(ctx, name, options)
  const changed = await setModelEnabled(ctx, id, { enabled, reason: options.reason })
  if (options.json) return printJson({ id, enabled, changed })
  printLine(
    changed
      ? `Switched the model ${enabled ? 'on' : 'off'}.`
      : `The model is already ${enabled ? 'on' : 'off'}.`,
  )
}

export async function removeAndPrint(
  name: string,
  options: ModelChoice & { reason?: string },
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await pickModel(ctx, name, options)
  await deleteModel(ctx, id, { reason: options.reason })
  if (options.json) return printJson({ id, removed: true })
  printLine('Deleted the model.')
}

function toolsOf({ toolCalling, toolCallingSource: source }: ModelListing): string {
  return source ? `${toolCalling} (${source})` : toolCalling
}

function answerOf(value: boolean | null): Answer {
  return value === null ? 'unknown' : value ? 'yes' : 'no'
}

function factsGiven(options: FactOptions): UpdateModel {
  const known = (answer: Answer | undefined) =>
    answer === undefined ? undefined : answer === 'unknown' ? null : answer === 'yes'
  const { name, contextTokens, maxOutputTokens, toolCalling, efforts, refuses } = options
  const facts = {
    displayName: name,
    contextTokens,
    maxOutputTokens,
    toolCalling,
    structuredOutput: known(options.structuredOutput),
    vision: known(options.vision),
    reasoning: known(options.reasoning),
    reasoningEfforts: efforts?.join() === 'unknown' ? [] : efforts,
    unsupportedParameters: refuses?.join() === 'none' ? [] : refuses,
  }
  const given = Object.entries(facts).filter(([, value]) => value !== undefined)
  return parseInput(UpdateModel, Object.fromEntries(given))
}

import { type Command, Option } from 'commander'
import type { CatalogueWord } from '@/lib/domains/models/catalogue/catalogue-says'
import type { ModelDetails, ModelListing, UpdateModel } from '@/lib/domains/models/schemas'
import type { Capability } from '@/lib/domains/models/shape'
import { stalePriceWords } from '@/lib/domains/models/shared/stale-price'
import { nameList, wholeNumber } from '@/lib/doors/cli/input/common-options'
import { ReasoningEffort } from '@/lib/protocol/parameters/parameter-values'
import { ModelParameter } from '@/lib/protocol/parameters/parameters'
import { command } from '../command'
import { printLine, printTable } from '../print'
import {
  addModelPriceCommands,
  type GivenPrices,
  type ModelChoice,
  modelArgument,
  pricesGiven,
  pricesText,
  priceText,
  toolsOf,
  withConnection,
  withPrices,
} from './model-prices'
import { addModelProviderCommands } from './model-provider'

const reads = () => import('@/lib/domains/models/reads')
const verbs = () => import('@/lib/domains/models/verbs')

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
type AddOptions = FactOptions & GivenPrices & { connection: string; model: string; source?: string }

export function addModelCommands(program: Command): void {
  const model = program.command('model').description('models, their capabilities and prices')
  command(model, 'list', {
    description: 'list the models with their prices',
    work: async ({ ctx }) => {
      const models = await (await reads()).listModels(ctx, {})
      return { json: models, text: () => printModels(models) }
    },
  })
  command<ModelChoice>(model, 'show', {
    description: 'show a model: capabilities, prices, what uses it, and what the catalogue says',
    args: modelArgument,
    options: withConnection,
    work: async ({ ctx, args: [name = ''], options: { connection } }) => {
      const { findModel, readModel } = await reads()
      const { catalogueSays } = await import('@/lib/domains/models/catalogue/catalogue-says')
      const model = await readModel(ctx, await findModel(ctx, name, connection))
      const catalogue = catalogueSays(model)
      return { json: { ...model, catalogue }, text: () => printModel(model, catalogue) }
    },
  })
  addStoring(model)
  addModelPriceCommands(model)
  addModelProviderCommands(model)
  addSwitches(model)
}

function addStoring(model: Command): void {
  command<AddOptions>(model, 'add', {
    description: 'add a model by the id its provider uses',
    options: (made) =>
      withPrices(
        withFacts(
          made
            .requiredOption('--connection <name>', 'name or id of the connection')
            .requiredOption('--model <id>', "the provider's own id of the model"),
        ),
      ),
    work: async ({ ctx, options }) => {
      const { findConnection } = await import('@/lib/domains/connections/reads')
      const connection = await findConnection(ctx, options.connection)
      const { displayName = options.model.slice(0, 100), ...facts } = await factsGiven(options)
      const { id } = await (await verbs()).createModel(ctx, {
        connectionId: connection.id,
        modelId: options.model,
        displayName,
        ...facts,
        prices: pricesGiven(options),
        priceSource: options.source,
      })
      const json = { id, modelId: options.model }
      return { json, text: `Added the model ${options.model} (${id}).` }
    },
  })
  command<ModelChoice & FactOptions>(model, 'edit', {
    description: 'change a model; options you leave out keep their value',
    alias: 'change',
    args: modelArgument,
    options: (made) => withFacts(withConnection(made)),
    work: async ({ ctx, args: [name = ''], options }) => {
      const { id } = await (await reads()).findModel(ctx, name, options.connection)
      const changed = await (await verbs()).updateModel(ctx, { id, ...(await factsGiven(options)) })
      const text = changed ? 'Changed the model.' : 'The model did not change.'
      return { json: { id, changed }, text }
    },
  })
}

function addSwitches(model: Command): void {
  for (const [name, enabled, description] of [
    ['enable', true, 'switch a model on'],
    ['disable', false, 'switch a model off; needs a reason if configurations use it'],
  ] as const) {
    command<ModelChoice>(model, name, {
      description,
      args: modelArgument,
      options: withConnection,
      reason: true,
      work: async ({ ctx, args: [model = ''], options: { connection, reason } }) => {
        const { id } = await (await reads()).findModel(ctx, model, connection)
        const changed = await (await verbs()).updateModel(ctx, { id, enabled, reason })
        const state = enabled ? 'on' : 'off'
        const text = changed ? `Switched the model ${state}.` : `The model is already ${state}.`
        return { json: { id, enabled, changed }, text }
      },
    })
  }
  command<ModelChoice>(model, 'delete', {
    description: 'delete a model that no configuration uses',
    alias: 'remove',
    args: modelArgument,
    options: withConnection,
    reason: true,
    work: async ({ ctx, args: [name = ''], options: { connection, reason } }) => {
      const { id } = await (await reads()).findModel(ctx, name, connection)
      await (await verbs()).deleteModel(ctx, { id, reason })
      return { json: { id, removed: true }, text: 'Deleted the model.' }
    },
  })
}

function printModels(models: ModelListing[]): void {
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

const capabilities = ['structuredOutput', 'vision', 'reasoning'] as const satisfies Capability[]

function printModel(model: ModelDetails, catalogue: CatalogueWord | null): void {
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
      ...capabilities.map((each) => [each, answerOf(model[each])]),
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

function withFacts(command: Command): Command {
  const yesNo = (name: string, words: string) =>
    new Option(`--${name} <answer>`, words).choices(['yes', 'no', 'unknown'])
  return command
    .option('--name <name>', 'name shown to people (default: its id)')
    .option('--context-tokens <number>', 'context window', wholeNumber(1, 100_000_000))
    .option('--max-output-tokens <number>', 'maximum output tokens', wholeNumber(1, 100_000_000))
    .addOption(
      new Option('--tool-calling <state>', 'whether it can call tools').choices([
        'confirmed',
        'unconfirmed',
        'unsupported',
      ]),
    )
    .addOption(yesNo('structured-output', 'whether it supports structured output (JSON schema)'))
    .addOption(yesNo('vision', 'whether it accepts images'))
    .addOption(yesNo('reasoning', 'whether it reasons before it answers'))
    .option(
      '--efforts <names>',
      `reasoning efforts it accepts, or unknown: ${ReasoningEffort.options.join(', ')}`,
      nameList,
    )
    .option(
      '--refuses <names>',
      `parameters it does not accept, or none: ${ModelParameter.options.join(', ')}`,
      nameList,
    )
}

function answerOf(value: boolean | null): Answer {
  return value === null ? 'unknown' : value ? 'yes' : 'no'
}

async function factsGiven(options: FactOptions): Promise<UpdateModel> {
  const { UpdateModel } = await import('@/lib/domains/models/schemas')
  const { parseInput } = await import('@/lib/kernel/parse-input')
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

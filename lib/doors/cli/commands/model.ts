import { type Command, InvalidArgumentError, Option } from 'commander'
import { LongPrompt } from '@/lib/protocol/cost'
import { ReasoningEffort } from '@/lib/protocol/parameter-values'
import { ModelParameter } from '@/lib/protocol/parameters'
import {
  type CommonOptions,
  nameList,
  usd,
  wholeNumber,
  withCommonOptions,
} from '../common-options'
import type { ModelChoice } from '../model-options'
import type { PriceOptions, RecomputeOptions } from '../model-price-verbs'
import type { DiscoverOptions } from '../model-provider-verbs'
import type { AddModelOptions, ChangeModelOptions } from '../model-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../model-verbs')
const loadPrices = () => import('../model-price-verbs')
const loadProvider = () => import('../model-provider-verbs')

const priceExample = `
Prices are US dollars per million tokens. A price you leave out is unknown; "unknown" removes one.
  toolgate model price gpt-5.4-mini --input 0.75 --cached-input 0.075 --output 4.50 --source 'price list'
  toolgate model price gpt-5.4-mini --from 2026-11-01 --input 0.60 --output 4.00 --recompute
  toolgate model price gpt-5.4-mini --from-catalogue`

export function addModelCommands(program: Command): void {
  const model = program.command('model').description('models, their capabilities and prices')
  withCommonOptions(model.command('list'))
    .description('list the models with their prices')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printModels(options)),
    )
  withModel(model.command('show'))
    .description('show a model: capabilities, prices, what uses it, and what the catalogue says')
    .action((name: string, options: ModelChoice) =>
      withInstallation(async () => (await load()).showModel(name, options)),
    )
  addStoring(model)
  addPrices(model)
  addProvider(model)
  addSwitches(model)
}

function addStoring(model: Command): void {
  const add = model
    .command('add')
    .description('add a model by the id its provider uses')
    .requiredOption('--connection <name>', 'name or id of the connection')
    .requiredOption('--model <id>', "the provider's own id of the model")
  withPrices(withFacts(withCommonOptions(add))).action((options: AddModelOptions) =>
    withInstallation(async () => (await load()).addModel(options)),
  )
  withFacts(withModel(model.command('edit').alias('change')))
    .description('change a model; options you leave out keep their value')
    .action((name: string, options: ChangeModelOptions) =>
      withInstallation(async () => (await load()).changeModel(name, options)),
    )
}

function addPrices(model: Command): void {
  withPrices(withModel(model.command('price')))
    .description('set the prices of a model from a moment on')
    .option('--from <time>', 'valid from, such as 2026-11-01 (UTC); default: now', moment)
    .option('--from-catalogue', 'use the prices of the catalogue from now on')
    .option('--recompute', 'also recompute the cost of past runs')
    .addHelpText('after', priceExample)
    .action((name: string, options: PriceOptions) =>
      withInstallation(async () => (await loadPrices()).priceAndPrint(name, options)),
    )
  withModel(model.command('recompute'))
    .description('recompute the cost of past runs at the prices valid when each started')
    .option('--plan', 'only show what would change')
    .action((name: string, options: RecomputeOptions) =>
      withInstallation(async () => (await loadPrices()).recomputeAndPrint(name, options)),
    )
}

function addProvider(model: Command): void {
  withCommonOptions(model.command('discover'))
    .argument('<connection>', 'name or id of the connection')
    .description('list the models a provider offers, and add some')
    .option('--add <ids>', 'add these models, separated by commas', nameList)
    .action((connection: string, options: DiscoverOptions) =>
      withInstallation(async () => (await loadProvider()).discoverAndPrint(connection, options)),
    )
  withModel(model.command('test'))
    .description(
      'test with one real request whether a model calls tools; exit code 1 if it does not',
    )
    .action(async (name: string, options: ModelChoice) => {
      process.exitCode = await withInstallation(async () =>
        (await loadProvider()).testAndPrint(name, options),
      )
    })
}

function addSwitches(model: Command): void {
  const reasoned = (verb: string, description: string) =>
    withModel(model.command(verb)).description(description).option('--reason <text>', 'reason')
  type Reasoned = ModelChoice & { reason?: string }
  reasoned('enable', 'switch a model on').action((name: string, options: Reasoned) =>
    withInstallation(async () => (await load()).switchAndPrint(name, true, options)),
  )
  reasoned('disable', 'switch a model off; needs a reason if configurations use it').action(
    (name: string, options: Reasoned) =>
      withInstallation(async () => (await load()).switchAndPrint(name, false, options)),
  )
  reasoned('delete', 'delete a model that no configuration uses')
    .alias('remove')
    .action((name: string, options: Reasoned) =>
      withInstallation(async () => (await load()).removeAndPrint(name, options)),
    )
}

function withModel(command: Command): Command {
  return withCommonOptions(command)
    .argument('<model>', 'id of the model, from the provider or from Toolgate')
    .option('--connection <name>', 'its connection, if several have that model')
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

function withPrices(command: Command): Command {
  return command
    .option('--input <usd>', 'per million input tokens', usd)
    .option('--output <usd>', 'per million output tokens', usd)
    .option('--cached-input <usd>', 'per million tokens read from the cache', usd)
    .option('--cache-write <usd>', 'per million tokens written to the cache', usd)
    .option('--reasoning-price <usd>', 'per million reasoning tokens (default: output price)', usd)
    .option(
      '--long-prompt <tokens:in:out>',
      'prices of requests with more input tokens, in percent, such as 272000:200:150',
      longPrompt,
    )
    .option('--source <text>', 'source of the prices')
}

function longPrompt(text: string): LongPrompt {
  const [aboveTokens, inputPercent, outputPercent, ...more] = text.split(':').map(Number)
  const given = LongPrompt.safeParse({ aboveTokens, inputPercent, outputPercent })
  if (given.success && more.length === 0) return given.data
  throw new InvalidArgumentError(
    'Give tokens (at most 100,000,000) and two percentages from 100 to 1,000, such as 272000:200:150.',
  )
}

function moment(text: string): string {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new InvalidArgumentError('Give a day or a time, such as 2026-11-01 or 2026-11-01T08:00Z.')
}

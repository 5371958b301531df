import { type Command, InvalidArgumentError, Option } from 'commander'
import { ModelParameter } from '@/lib/protocol/model-target'
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
Prices are US dollars for a million tokens; one that is not given is unknown, "unknown" takes one away.
  toolgate model price gpt-5.4-mini --input 0.75 --cached-input 0.075 --output 4.50 --source 'price list'
  toolgate model price gpt-5.4-mini --from 2026-11-01 --input 0.60 --output 4.00 --recompute
  toolgate model price gpt-5.4-mini --from-catalogue`

export function addModelCommands(program: Command): void {
  const model = program.command('model').description('models: what they can do and what they cost')
  withCommonOptions(model.command('list'))
    .description('list the models with their prices')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printModels(options)),
    )
  withModel(model.command('show'))
    .description('show one: what it can do, its prices, what uses it, what the catalogue says')
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
    .description('add a model by the id its provider knows it under')
    .requiredOption('--connection <name>', 'the connection: its name or id')
    .requiredOption('--model <id>', "the provider's own id of the model")
  withPrices(withFacts(withCommonOptions(add))).action((options: AddModelOptions) =>
    withInstallation(async () => (await load()).addModel(options)),
  )
  withFacts(withModel(model.command('change')))
    .description('change what is known of a model; what is not given stays')
    .action((name: string, options: ChangeModelOptions) =>
      withInstallation(async () => (await load()).changeModel(name, options)),
    )
}

function addPrices(model: Command): void {
  withPrices(withModel(model.command('price')))
    .description('say what a model costs from a moment on')
    .option('--from <time>', 'from when on, like 2026-11-01 (UTC); default: from now on', moment)
    .option('--from-catalogue', 'take the prices of the catalogue, from now on')
    .option('--recompute', 'work out the cost of past runs anew, too')
    .addHelpText('after', priceExample)
    .action((name: string, options: PriceOptions) =>
      withInstallation(async () => (await loadPrices()).priceAndPrint(name, options)),
    )
  withModel(model.command('recompute'))
    .description('work out the cost of past runs anew, by the prices of when each began')
    .option('--plan', 'only say what would change')
    .action((name: string, options: RecomputeOptions) =>
      withInstallation(async () => (await loadPrices()).recomputeAndPrint(name, options)),
    )
}

function addProvider(model: Command): void {
  withCommonOptions(model.command('discover'))
    .argument('<connection>', 'the connection: its name or id')
    .description('list the models a provider offers, and add some')
    .option('--add <ids>', 'add these, with commas between', nameList)
    .action((connection: string, options: DiscoverOptions) =>
      withInstallation(async () => (await loadProvider()).discoverAndPrint(connection, options)),
    )
  withModel(model.command('test'))
    .description('find out with one real request whether it calls tools; exits with 1 when not')
    .action(async (name: string, options: ModelChoice) => {
      process.exitCode = await withInstallation(async () =>
        (await loadProvider()).testAndPrint(name, options),
      )
    })
}

function addSwitches(model: Command): void {
  const reasoned = (verb: string, description: string) =>
    withModel(model.command(verb)).description(description).option('--reason <text>', 'why')
  type Reasoned = ModelChoice & { reason?: string }
  reasoned('enable', 'let runs use a model again').action((name: string, options: Reasoned) =>
    withInstallation(async () => (await load()).switchAndPrint(name, true, options)),
  )
  reasoned('disable', 'keep runs from using a model; needs a reason while something has it').action(
    (name: string, options: Reasoned) =>
      withInstallation(async () => (await load()).switchAndPrint(name, false, options)),
  )
  reasoned('remove', 'delete a model that no configuration has').action(
    (name: string, options: Reasoned) =>
      withInstallation(async () => (await load()).removeAndPrint(name, options)),
  )
}

function withModel(command: Command): Command {
  return withCommonOptions(command)
    .argument('<model>', "the model: the provider's id of it, or ours")
    .option('--connection <name>', 'its connection, where several have that model')
}

function withFacts(command: Command): Command {
  const yesNo = (name: string, words: string) =>
    new Option(`--${name} <answer>`, words).choices(['yes', 'no', 'unknown'])
  return command
    .option('--name <name>', 'name for people (default: its id)')
    .option('--context-tokens <number>', 'its context window', wholeNumber(1, 100_000_000))
    .option('--max-output-tokens <number>', 'its longest answer', wholeNumber(1, 100_000_000))
    .addOption(
      new Option('--tool-calling <state>', 'whether it is known to call tools').choices([
        'confirmed',
        'unconfirmed',
        'unsupported',
      ]),
    )
    .addOption(yesNo('structured-output', 'whether it keeps to a JSON schema'))
    .addOption(yesNo('vision', 'whether it takes images'))
    .addOption(yesNo('reasoning', 'whether it thinks before it answers'))
    .option(
      '--refuses <names>',
      `parameters that are not sent to it, or none: ${ModelParameter.options.join(', ')}`,
      nameList,
    )
}

function withPrices(command: Command): Command {
  return command
    .option('--input <usd>', 'for a million tokens in', usd)
    .option('--output <usd>', 'for a million tokens out', usd)
    .option('--cached-input <usd>', 'for those read from the cache', usd)
    .option('--cache-write <usd>', 'for those written to it', usd)
    .option('--reasoning-price <usd>', 'for those it thinks with (default: as output)', usd)
    .option('--source <text>', 'where the prices are from')
}

function moment(text: string): string {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new InvalidArgumentError('Give a day or a time, like 2026-11-01 or 2026-11-01T08:00Z.')
}

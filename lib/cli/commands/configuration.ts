import { type Command, Option } from 'commander'
import { DataClass } from '@/lib/protocol/tool'
import {
  type CommonOptions,
  nameList,
  usd,
  wholeNumber,
  withCommonOptions,
} from '../common-options'
import type { AllowOptions } from '../configuration-group-verbs'
import type { GovernOptions } from '../configuration-policy-verbs'
import type { AddConfigurationOptions } from '../configuration-verbs'
import { withInstallation } from '../with-installation'
import { addConfigurationChanges, addConfigurationHistory } from './configuration-changes'
import { addFormOptions } from './configuration-form-options'

const load = () => import('../configuration-verbs')
const loadPolicy = () => import('../configuration-policy-verbs')

const example = `
The model is added to the connection when it is not there yet; the options from --display-name on describe it.
A price that is not given is unknown, and the cost of runs then shows as unpriced.

Example:
  toolgate configuration add --connection OpenAI --model gpt-5.4-mini --identifier mini --name 'GPT-5.4 mini' \\
    --input-price 0.75 --output-price 4.50`

export function addConfigurationCommands(program: Command): void {
  const configuration = program.command('configuration').description('what people pick to run with')
  withCommonOptions(configuration.command('list'))
    .description('list the configurations this account may use')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printConfigurations(options)),
    )
  const add = configuration
    .command('add')
    .description('add a configuration, and its model where it is new')
    .requiredOption('--connection <name>', 'the connection: its name or id')
    .requiredOption('--model <id>', "the provider's own id of the model")
    .requiredOption('--identifier <name>', 'short name for commands and the API')
    .requiredOption('--name <name>', 'name for people')
  addFormOptions(add)
  withCommonOptions(addModelOptions(add))
    .addHelpText('after', example)
    .action((options: AddConfigurationOptions) =>
      withInstallation(async () => (await load()).addConfiguration(options)),
    )
  addAllow(configuration, 'allow', true, 'let the members of a group use it')
  addAllow(configuration, 'disallow', false, 'take it away from a group again')
  addGovern(configuration)
  addConfigurationChanges(configuration)
  addConfigurationHistory(configuration)
}

const governExample = `
A run is offered only tools whose data may go to the provider with the lowest trust zone in the configuration. Raise
the data class with a reason, and undo that with --data-class zone:
  toolgate configuration govern --configuration mini --data-class diagnostics --reason 'Contract of 1 May'`

function addGovern(parent: Command): void {
  const govern = parent
    .command('govern')
    .requiredOption('--configuration <name>', 'the configuration: its identifier or id')
    .description('change what its runs may be offered')
    .option('--tool-groups <names>', 'only these tool groups; all or none', nameList)
    .addOption(
      new Option(
        '--data-class <class>',
        'highest data class; zone = what the trust zones allow',
      ).choices([...DataClass.options, 'zone']),
    )
    .addOption(
      new Option('--four-eyes <state>', 'whether someone else must approve').choices(['on', 'off']),
    )
    .addOption(new Option('--state <state>', 'whether it can be used').choices(['on', 'off']))
    .option(
      '--reason <text>',
      'why; needed to raise the data class, and to switch off it or its four eyes',
    )
  withCommonOptions(govern)
    .addHelpText('after', governExample)
    .action((options: GovernOptions) =>
      withInstallation(async () => (await loadPolicy()).governAndPrint(options)),
    )
}

function addAllow(parent: Command, verb: string, allowed: boolean, description: string): void {
  const command = parent
    .command(verb)
    .description(description)
    .requiredOption('--configuration <name>', 'the configuration: its identifier or id')
    .requiredOption('--group <name>', 'the group: its name or id')
  withCommonOptions(command).action((options: AllowOptions) =>
    withInstallation(async () =>
      (await import('../configuration-group-verbs')).allowAndPrint(allowed, options),
    ),
  )
}

function addModelOptions(command: Command): Command {
  return command
    .option('--display-name <name>', 'name of the model for people (default: its id)')
    .option('--context-tokens <number>', 'its context window', wholeNumber(1, 100_000_000))
    .addOption(
      new Option('--tool-calling <state>', 'whether it is known to call tools').choices([
        'confirmed',
        'unconfirmed',
        'unsupported',
      ]),
    )
    .option('--input-price <usd>', 'US dollars for a million tokens in', usd)
    .option('--output-price <usd>', 'US dollars for a million tokens out', usd)
    .option('--cached-input-price <usd>', 'US dollars for a million cached tokens in', usd)
    .option(
      '--cache-write-price <usd>',
      'US dollars for a million tokens written to the cache',
      usd,
    )
    .option(
      '--reasoning-price <usd>',
      'US dollars for a million reasoning tokens (default: as output)',
      usd,
    )
}

import { type Command, Option } from 'commander'
import { DataClass } from '@/lib/protocol/tool'
import {
  type CommonOptions,
  nameList,
  usd,
  wholeNumber,
  withCommonOptions,
} from '../common-options'
import type { AllowOptions, GovernOptions } from '../configuration-policy-verbs'
import type { AddConfigurationOptions } from '../configuration-verbs'
import { withInstallation } from '../with-installation'
import { addConfigurationChanges, addConfigurationHistory } from './configuration-changes'
import { addFormOptions } from './configuration-form-options'

const load = () => import('../configuration-verbs')
const loadPolicy = () => import('../configuration-policy-verbs')

const example = `
If the connection does not have the model yet, it is added; the options from --display-name on describe it. If you leave
out a price, it is unknown, and the cost of runs shows as unpriced.

Example:
  toolgate configuration add --connection OpenAI --model gpt-5.4-mini --identifier mini --name 'GPT-5.4 mini' \\
    --input-price 0.75 --output-price 4.50`

export function addConfigurationCommands(program: Command): void {
  const configuration = program
    .command('configuration')
    .description('what people pick for a run: a model with prompt, limits and tools')
  withCommonOptions(configuration.command('list'))
    .description('list the configurations that the account may use')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printConfigurations(options)),
    )
  const add = configuration
    .command('add')
    .description('add a configuration, and its model if it is new')
    .requiredOption('--connection <name>', 'name or id of the connection')
    .requiredOption('--model <id>', "the provider's own id of the model")
    .requiredOption('--identifier <name>', 'identifier for commands and the API')
    .requiredOption('--name <name>', 'name shown to people')
  addFormOptions(add)
  withCommonOptions(addModelOptions(add))
    .addHelpText('after', example)
    .action((options: AddConfigurationOptions) =>
      withInstallation(async () => (await load()).addConfiguration(options)),
    )
  addAllow(configuration, 'allow', true, 'let the members of a group use a configuration')
  addAllow(configuration, 'disallow', false, 'remove the access of a group')
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
    .requiredOption('--configuration <name>', 'identifier or id of the configuration')
    .description('change which tools and data a configuration allows')
    .option('--tool-groups <names>', 'allowed tool groups, or all or none', nameList)
    .addOption(
      new Option(
        '--data-class <class>',
        'highest data class; zone = what the trust zones allow',
      ).choices([...DataClass.options, 'zone']),
    )
    .addOption(
      new Option('--four-eyes <state>', 'whether somebody else must approve calls').choices([
        'on',
        'off',
      ]),
    )
    .addOption(
      new Option('--state <state>', 'whether the configuration is on').choices(['on', 'off']),
    )
    .option(
      '--reason <text>',
      'reason; required to raise the data class and to switch off the configuration or four eyes',
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
    .requiredOption('--configuration <name>', 'identifier or id of the configuration')
    .requiredOption('--group <name>', 'name or id of the group')
  withCommonOptions(command).action((options: AllowOptions) =>
    withInstallation(async () =>
      (await import('../configuration-policy-verbs')).allowAndPrint(allowed, options),
    ),
  )
}

function addModelOptions(command: Command): Command {
  return command
    .option('--display-name <name>', 'name of the model (default: its id)')
    .option('--context-tokens <number>', 'context window of the model', wholeNumber(1, 100_000_000))
    .addOption(
      new Option('--tool-calling <state>', 'whether the model can call tools').choices([
        'confirmed',
        'unconfirmed',
        'unsupported',
      ]),
    )
    .option('--input-price <usd>', 'US dollars per million input tokens', usd)
    .option('--output-price <usd>', 'US dollars per million output tokens', usd)
    .option('--cached-input-price <usd>', 'US dollars per million cached input tokens', usd)
    .option('--cache-write-price <usd>', 'US dollars per million tokens written to the cache', usd)
    .option(
      '--reasoning-price <usd>',
      'US dollars per million reasoning tokens (default: output price)',
      usd,
    )
}

import { type Command, InvalidArgumentError, Option } from 'commander'
import { ModelTarget } from '@/lib/protocol/model-target'
import { type CommonOptions, nameList, wholeNumber, withCommonOptions } from '../common-options'
import type {
  AddConnectionOptions,
  ChangeConnectionOptions,
  HeaderOptions,
  ReasonOptions,
} from '../connection-verbs'
import { withInstallation } from '../with-installation'

const load = () => import('../connection-verbs')

const addExample = `
Example:
  toolgate connection add --name OpenAI --api-type openai --trust-zone external-global --key-stdin < key.txt
  toolgate connection add --name Ollama --api-type ollama --trust-zone local --allow-private`

const confirmWords = 'its host name; confirms a local or private trust zone for a public address'

const headersExample = `
The value is read from standard input only:
  toolgate connection headers Gateway --set x-team < value.txt`

export function addConnectionCommands(program: Command): void {
  const connection = program
    .command('connection')
    .description('connections to providers: address, key, trust zone')
  withCommonOptions(connection.command('list'))
    .description('list the connections')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printConnections(options)),
    )
  withName(connection.command('show'))
    .description('show a connection, its models and what uses them')
    .action((name: string, options: CommonOptions) =>
      withInstallation(async () => (await load()).showConnection(name, options)),
    )
  addAdd(connection)
  addChange(connection)
  addRest(connection)
}

function addAdd(connection: Command): void {
  const add = connection
    .command('add')
    .description('add a connection')
    .requiredOption('--name <name>', 'name of the connection')
    .addOption(zoneOption().makeOptionMandatory())
    .option('--base-url <url>', 'its address (default: the public address of the API type)')
    .addOption(settingOption())
    .option('--organisation <id>', 'organisation to bill, if the provider supports it')
    .option('--allow-private', 'allow addresses in private networks and on this machine')
    .option('--key-stdin', 'read its API key from standard input')
    .option('--confirm-zone <host>', confirmWords)
    .option('--reason <text>', 'reason; required to confirm a trust zone')
  withApiType(add, true)
  withCommonOptions(withLimits(add))
    .addHelpText('after', addExample)
    .action((options: AddConnectionOptions) =>
      withInstallation(async () => (await load()).addConnection(options)),
    )
}

function addChange(connection: Command): void {
  const change = withName(connection.command('edit').alias('change'))
    .description('change a connection; options you leave out keep their value')
    .option('--name <name>', 'new name')
    .addOption(zoneOption())
    .option('--confirm-zone <host>', confirmWords)
    .option('--reason <text>', 'reason; required to change or confirm the trust zone')
    .option(
      '--base-url <url>',
      'new address; if the host changes, give the key and --trust-zone again',
    )
    .option('--no-base-url', 'use the public address of the API type')
    .addOption(settingOption())
    .option('--organisation <id>', 'organisation to bill')
    .option('--no-organisation', 'remove the organisation')
    .option('--allow-private', 'allow addresses in private networks and on this machine')
    .option('--no-allow-private', 'allow public addresses only')
    .option('--key-stdin', 'read the key for the new host from standard input')
    .option('--remove-key', 'delete the key in the same change')
  withLimits(withApiType(change, false)).action((name: string, options: ChangeConnectionOptions) =>
    withInstallation(async () => (await load()).changeConnection(name, nulled(options))),
  )
}

function addRest(connection: Command): void {
  withName(connection.command('test'))
    .description('test a connection by listing its models; exit code 1 if that fails')
    .action(async (name: string, options: CommonOptions) => {
      process.exitCode = await withInstallation(async () =>
        (await load()).testAndPrint(name, options),
      )
    })
  withName(connection.command('headers'))
    .description('set or remove headers that go with each request')
    .option('--set <name>', 'header to set; its value is read from standard input')
    .option('--remove <names>', 'headers to remove, separated by commas', nameList)
    .addHelpText('after', headersExample)
    .action((name: string, options: HeaderOptions) =>
      withInstallation(async () => (await load()).changeHeaders(name, options)),
    )
  addSwitch(connection, 'enable', true)
  addSwitch(connection, 'disable', false)
  withName(connection.command('delete'))
    .description('delete a connection that has no models')
    .option('--reason <text>', 'reason')
    .action((name: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).removeConnection(name, options)),
    )
}

function addSwitch(connection: Command, verb: string, enabled: boolean): void {
  withName(connection.command(verb))
    .description(
      enabled
        ? 'switch a connection on'
        : 'switch a connection off, and with it the configurations that need it',
    )
    .option('--reason <text>', enabled ? 'reason' : 'reason (required)')
    .action((name: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).switchConnection(name, enabled, options)),
    )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<connection>', 'name or id of the connection')
}

/** `--wire` is the older name of the option: it goes on working and is not listed. */
function withApiType(command: Command, mandatory: boolean): Command {
  const option = (flags: string) =>
    new Option(flags, 'API type of the provider').choices(ModelTarget.shape.wire.options)
  return command
    .addOption(option('--api-type <type>').makeOptionMandatory(mandatory))
    .addOption(option('--wire <type>').hideHelp())
    .on('option:wire', (type: string) => command.setOptionValue('apiType', type))
}

/** Several may be given; an empty value takes a setting away. */
function settingOption(): Option {
  return new Option(
    '--setting <name=value>',
    'setting of the API type, such as authentication=entra; repeatable, NAME= for its default',
  ).argParser((text: string, given: Record<string, string> = {}) => {
    const at = text.indexOf('=')
    if (at < 1) throw new InvalidArgumentError('Give NAME=VALUE.')
    return { ...given, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
  })
}

function zoneOption(): Option {
  return new Option(
    '--trust-zone <zone>',
    'trust zone; decides which data and tools it may receive',
  ).choices(ModelTarget.shape.trustZone.options)
}

function withLimits(command: Command): Command {
  const milliseconds = (most: number) => wholeNumber(100, most)
  return command
    .option('--connect-timeout <ms>', 'time to connect (default: 10000)', milliseconds(120_000))
    .option(
      '--first-byte-timeout <ms>',
      'time to first byte (default: 60000)',
      milliseconds(600_000),
    )
    .option(
      '--idle-timeout <ms>',
      'longest pause within an answer (default: 60000)',
      milliseconds(600_000),
    )
    .option('--max-tries <number>', 'maximum tries per request (default: 3)', wholeNumber(1, 5))
}

/** Commander says false for `--no-base-url`; what is stored then is nothing. */
function nulled(options: ChangeConnectionOptions): ChangeConnectionOptions {
  const cleared = Object.entries(options).map(([name, value]) =>
    value === false && name !== 'allowPrivate' ? [name, null] : [name, value],
  )
  return Object.fromEntries(cleared)
}

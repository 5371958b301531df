import { type Command, Option } from 'commander'
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

const confirmWords = 'its host name: confirms that a public address is trusted as local or private'

const headersExample = `
The value is read from standard input and nowhere else:
  toolgate connection headers Gateway --set x-team < value.txt`

export function addConnectionCommands(program: Command): void {
  const connection = program.command('connection').description('providers and where they are')
  withCommonOptions(connection.command('list'))
    .description('list the stored providers')
    .action((options: CommonOptions) =>
      withInstallation(async () => (await load()).printConnections(options)),
    )
  withName(connection.command('show'))
    .description('show one, with its models and what uses them')
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
    .description('store a provider')
    .requiredOption('--name <name>', 'what people call it')
    .addOption(zoneOption().makeOptionMandatory())
    .option('--base-url <url>', 'its address (default: the public address of the API type)')
    .option('--organisation <id>', 'organisation to bill, where the provider knows such')
    .option('--allow-private', 'let it reach a private network or this machine')
    .option('--key-stdin', 'read its API key from standard input')
    .option('--confirm-zone <host>', confirmWords)
    .option('--reason <text>', 'why; needed to confirm a trust zone')
  withApiType(add, true)
  withCommonOptions(withLimits(add))
    .addHelpText('after', addExample)
    .action((options: AddConnectionOptions) =>
      withInstallation(async () => (await load()).addConnection(options)),
    )
}

function addChange(connection: Command): void {
  const change = withName(connection.command('change'))
    .description('change a provider; what is not given stays')
    .option('--name <name>', 'what people call it from now on')
    .addOption(zoneOption())
    .option('--confirm-zone <host>', confirmWords)
    .option('--reason <text>', 'why; needed for another or a confirmed trust zone')
    .option('--base-url <url>', 'its new address; another host needs its key and --trust-zone anew')
    .option('--no-base-url', 'the public address of the API type')
    .option('--organisation <id>', 'organisation to bill')
    .option('--no-organisation', 'no organisation')
    .option('--allow-private', 'let it reach a private network or this machine')
    .option('--no-allow-private', 'let it reach public addresses only')
    .option('--key-stdin', 'read the key for the new host from standard input')
    .option('--remove-key', 'take the key away in the same change')
  withLimits(withApiType(change, false)).action((name: string, options: ChangeConnectionOptions) =>
    withInstallation(async () => (await load()).changeConnection(name, nulled(options))),
  )
}

function addRest(connection: Command): void {
  withName(connection.command('test'))
    .description('ask a provider for its models; exits with 1 when it does not answer as it should')
    .action(async (name: string, options: CommonOptions) => {
      process.exitCode = await withInstallation(async () =>
        (await load()).testAndPrint(name, options),
      )
    })
  withName(connection.command('headers'))
    .description('set or remove headers that go with each request')
    .option('--set <name>', 'header to set; its value is piped in')
    .option('--remove <names>', 'headers to take away, with commas between', nameList)
    .addHelpText('after', headersExample)
    .action((name: string, options: HeaderOptions) =>
      withInstallation(async () => (await load()).changeHeaders(name, options)),
    )
  addSwitch(connection, 'enable', true)
  addSwitch(connection, 'disable', false)
  withName(connection.command('delete'))
    .description('delete one that no model needs any more')
    .option('--reason <text>', 'why')
    .action((name: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).removeConnection(name, options)),
    )
}

function addSwitch(connection: Command, verb: string, enabled: boolean): void {
  withName(connection.command(verb))
    .description(enabled ? 'let it be used again' : 'close it and the configurations that need it')
    .option('--reason <text>', enabled ? 'why' : 'why; needed')
    .action((name: string, options: ReasonOptions) =>
      withInstallation(async () => (await load()).switchConnection(name, enabled, options)),
    )
}

function withName(command: Command): Command {
  return withCommonOptions(command).argument('<connection>', 'its name or id')
}

/** `--wire` is the older name of the option: it goes on working and is not listed. */
function withApiType(command: Command, mandatory: boolean): Command {
  const option = (flags: string) =>
    new Option(flags, 'the API it offers').choices(ModelTarget.shape.wire.options)
  return command
    .addOption(option('--api-type <type>').makeOptionMandatory(mandatory))
    .addOption(option('--wire <type>').hideHelp())
    .on('option:wire', (type: string) => command.setOptionValue('apiType', type))
}

function zoneOption(): Option {
  return new Option(
    '--trust-zone <zone>',
    'where prompts go; decides which tools may run with it',
  ).choices(ModelTarget.shape.trustZone.options)
}

function withLimits(command: Command): Command {
  const milliseconds = (most: number) => wholeNumber(100, most)
  return command
    .option('--connect-timeout <ms>', 'to connect (default: 10000)', milliseconds(120_000))
    .option(
      '--first-byte-timeout <ms>',
      'to begin to answer (default: 60000)',
      milliseconds(600_000),
    )
    .option('--idle-timeout <ms>', 'between two pieces (default: 60000)', milliseconds(600_000))
    .option('--max-tries <number>', 'tries a request has in all (default: 3)', wholeNumber(1, 5))
}

/** Commander says false for `--no-base-url`; what is stored then is nothing. */
function nulled(options: ChangeConnectionOptions): ChangeConnectionOptions {
  const cleared = Object.entries(options).map(([name, value]) =>
    value === false && name !== 'allowPrivate' ? [name, null] : [name, value],
  )
  return Object.fromEntries(cleared)
}

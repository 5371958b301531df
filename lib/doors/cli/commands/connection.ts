import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CreateConnection, UpdateConnection } from '@/lib/domains/connections/schemas'
import { secretsHost } from '@/lib/domains/connections/shared/wire-address'
import { nameList, wholeNumber } from '@/lib/doors/cli/input/common-options'
import { TrustZone } from '@/lib/protocol/model/model-target'
import { Wire } from '@/lib/protocol/parameters/parameter-values'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { shellWord } from '../fix-command'
import { printLine } from '../print'
import { printConnection, printConnections } from './connection-words'

const reads = () => import('@/lib/domains/connections/reads')
const verbs = () => import('@/lib/domains/connections/verbs')
const updating = () => import('@/lib/domains/connections/update-connection')
const readSecret = async (what: string) =>
  (await import('@/lib/doors/cli/input/read-input')).readSecret(what)
const readKey = async () => (await import('@/lib/doors/cli/input/read-input')).readKey()
const tellAddress = async (typed: string | null | undefined) =>
  (await import('@/lib/doors/cli/input/read-input')).tellPasted('base-url', typed)

const addExample = `
Example:
  toolgate connection add --name OpenAI --api-type openai --trust-zone external-global --key-stdin < key.txt
  toolgate connection add --name Ollama --api-type ollama --trust-zone local --allow-private`

const confirmWords = 'its host name; confirms a local or private trust zone for a public address'

const headersExample = `
The value is read from standard input only:
  toolgate connection headers Gateway --set x-team < value.txt`

type RenamedField =
  | 'wire'
  | 'settings'
  | 'privateAddressAllowed'
  | 'connectTimeoutMs'
  | 'firstByteTimeoutMs'
  | 'idleTimeoutMs'
/** The options of `add` and `edit` that have another name than the field. */
type RenamedOptions = {
  apiType?: CreateConnection['wire']
  setting?: Record<string, string>
  allowPrivate?: boolean
  connectTimeout?: number | null
  firstByteTimeout?: number | null
  idleTimeout?: number | null
}
type Given<T> = Omit<T, RenamedField | 'apiKey' | 'headers'> & RenamedOptions
type AddOptions = Given<CreateConnection> & {
  apiType: CreateConnection['wire']
  keyStdin?: boolean
}
type EditOptions = Given<UpdateConnection> & { keyStdin?: boolean; removeKey?: boolean }

const named = { '<connection>': 'name or id of the connection' }

export function addConnectionCommands(program: Command): void {
  const connection = program
    .command('connection')
    .description('connections to providers: address, key, trust zone')
  command(connection, 'list', {
    description: 'list the connections',
    work: async ({ ctx }) => {
      const connections = await (await reads()).listConnections(ctx, {})
      return { json: connections, text: () => printConnections(connections) }
    },
  })
  command(connection, 'show', {
    description: 'show a connection, its models and what uses them',
    args: named,
    work: async ({ ctx, args: [id = ''] }) => {
      const connection = await (await reads()).readConnection(ctx, { id })
      return { json: connection, text: () => printConnection(connection) }
    },
  })
  addAdd(connection)
  addEdit(connection)
  addRest(connection)
}

function addAdd(connection: Command): void {
  command<AddOptions>(connection, 'add', {
    description: 'add a connection',
    options: (made) => {
      made
        .requiredOption('--name <name>', 'name of the connection')
        .addOption(zoneOption().makeOptionMandatory())
        .option('--base-url <url>', 'its address (default: the public address of the API type)')
        .addOption(settingOption())
        .option('--organisation <id>', 'organisation to bill, if the provider supports it')
        .option('--allow-private', 'allow addresses in private networks and on this machine')
        .option('--key-stdin', 'read its API key from standard input')
        .option('--confirm-zone <host>', confirmWords)
        .option('--reason <text>', 'reason; required to confirm a trust zone')
      return withLimits(withApiType(made, true)).addHelpText('after', addExample)
    },
    work: async ({ ctx, options }) => {
      const { keyStdin, ...given } = options
      const { name, apiType: wire } = given
      await tellAddress(given.baseUrl)
      const apiKey = keyStdin ? await readKey() : null
      const wanted = { ...renamed(given), wire, apiKey }
      const { id } = await (await verbs()).createConnection(ctx, wanted)
      return {
        json: { id, name },
        text: () => {
          printLine(`Added the connection ${name} (${id}). It was not tested yet.`)
          printLine(`Test it: bin/toolgate connection test ${shellWord(name)}`)
        },
      }
    },
  })
}

function addEdit(connection: Command): void {
  command<EditOptions>(connection, 'edit', {
    description: 'change a connection; options you leave out keep their value',
    confirms: 'cases',
    alias: 'change',
    args: named,
    options: (made) => {
      made
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
      return withLimits(withApiType(made, false))
    },
    work: async ({ ctx, args: [name = ''], options: typed }) => {
      const { keyStdin, removeKey, ...given } = nulled(typed)
      await tellAddress(given.baseUrl)
      // The typed key is for the host that the connection has now, even if somebody else changes it meanwhile.
      const { id, updatedAt } = await (await reads()).readConnection(ctx, { id: name })
      const apiKey = keyStdin ? await readKey() : undefined
      const changed = await (await updating()).updateConnection(ctx, {
        id,
        ...renamed(given),
        apiKey: removeKey ? null : apiKey,
        ...(keyStdin && { updatedAt }),
      })
      const text = changed ? 'Changed the connection.' : 'Nothing changed.'
      return { json: { id, changed }, text }
    },
  })
}

function addRest(connection: Command): void {
  command(connection, 'test', {
    description: 'test a connection by listing its models; exit code 1 if that fails',
    args: named,
    work: async ({ ctx, args: [name = ''] }) => {
      const { id } = await (await reads()).findConnection(ctx, name)
      const { testConnection } = await import('@/lib/probes/test-connection')
      const test = await testConnection(ctx, { id })
      return {
        json: { id, ...test },
        text: () => {
          printLine(`${test.outcome}: ${test.message} (${test.latencyMs ?? 0} ms)`)
          if (test.outcome === 'unauthorised')
            printLine(`  toolgate key set --connection ${shellWord(name)} < key.txt`)
        },
        exitCode: test.outcome === 'ok' ? exitCodes.ok : exitCodes.failed,
      }
    },
  })
  command<{ set?: string; remove?: string[] }>(connection, 'headers', {
    description: 'set or remove headers that go with each request',
    args: named,
    options: (made) =>
      made
        .option('--set <name>', 'header to set; its value is read from standard input')
        .option('--remove <names>', 'headers to remove, separated by commas', nameList)
        .addHelpText('after', headersExample),
    work: async ({ ctx, args: [name = ''], options: { set, remove = [] } }) => {
      const stored = await (await reads()).readConnection(ctx, { id: name })
      const { id } = stored
      const headers: Record<string, string | null> = Object.fromEntries(
        remove.map((header) => [header, null]),
      )
      if (set !== undefined) headers[set] = await readSecret('the value')
      const change = { id, headers, host: secretsHost(stored) }
      const { headerNames } = await (await verbs()).setConnectionHeaders(ctx, change)
      return { json: { id, headerNames }, text: `Headers: ${headerNames.join(', ') || 'none'}.` }
    },
  })
  addSwitch(connection, 'enable', true)
  addSwitch(connection, 'disable', false)
  command(connection, 'delete', {
    description: 'delete a connection that has no models',
    args: named,
    reason: true,
    work: async ({ ctx, args: [name = ''], options: { reason } }) => {
      const { id } = await (await reads()).findConnection(ctx, name)
      await (await verbs()).deleteConnection(ctx, { id, reason })
      const text = 'Deleted the connection, its key and its headers.'
      return { json: { id, deleted: true }, text }
    },
  })
}

function addSwitch(connection: Command, name: string, enabled: boolean): void {
  command(connection, name, {
    description: enabled
      ? 'switch a connection on'
      : 'switch a connection off, and with it the configurations that need it',
    args: named,
    confirms: 'cases',
    options: (made) => made.option('--reason <text>', enabled ? 'reason' : 'reason (required)'),
    work: async ({ ctx, args: [name = ''], options: { reason } }) => {
      const { id } = await (await reads()).findConnection(ctx, name)
      const changed = await (await updating()).updateConnection(ctx, { id, enabled, reason })
      const text = `The connection is ${changed ? 'now' : 'already'} ${enabled ? 'on' : 'off'}.`
      return { json: { id, enabled, changed }, text }
    },
  })
}

/** Returns options by the names of their fields. */
function renamed<T extends RenamedOptions>({
  apiType: wire,
  setting: settings,
  allowPrivate: privateAddressAllowed,
  connectTimeout: connectTimeoutMs,
  firstByteTimeout: firstByteTimeoutMs,
  idleTimeout: idleTimeoutMs,
  ...others
}: T) {
  const limits = { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs }
  return { ...others, wire, settings, privateAddressAllowed, ...limits }
}

/** Adds the option for the API type. `--wire`, its older name, still works and is not listed. */
function withApiType(command: Command, mandatory: boolean): Command {
  const option = (flags: string) =>
    new Option(flags, 'API type of the provider').choices(Wire.options)
  return command
    .addOption(option('--api-type <type>').makeOptionMandatory(mandatory))
    .addOption(option('--wire <type>').hideHelp())
    .on('option:wire', (type: string) => command.setOptionValue('apiType', type))
}

/** Collects settings, of which there may be several. An empty value removes a setting. */
export function settingOption(): Option {
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
  ).choices(TrustZone.options)
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

/** Returns null for the false that commander gives for `--no-base-url`. */
function nulled(options: EditOptions): EditOptions {
  const cleared = Object.entries(options).map(([name, value]) =>
    value === false && name !== 'allowPrivate' ? [name, null] : [name, value],
  )
  return Object.fromEntries(cleared)
}

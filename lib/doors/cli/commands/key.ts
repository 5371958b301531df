import type { Command } from 'commander'
import type { KeyHealth, KeyListing } from '@/lib/domains/connections/key-schemas'
import type { ConnectionTest } from '@/lib/domains/connections/schemas'
import { secretsHost } from '@/lib/domains/connections/shared/wire-address'
import { wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import { AppError } from '@/lib/kernel/errors'
import { keyHealthWord, keyLimitWords } from '@/lib/protocol/model/failure-words'
import { command } from '../command'
import { printTable } from '../print'

const reads = () => import('@/lib/domains/connections/reads')
const verbs = () => import('@/lib/domains/connections/key-verbs')
const tested = () => import('@/lib/probes/store-further-key')

const example = `
The key is read from standard input only:
  toolgate key set --connection OpenAI < key.txt`

const addExample = `
The key is read from standard input only:
  toolgate key add --connection OpenAI --label team-b --weight 2 < key.txt`

type OfConnection = { connection: string }
type Limits = {
  weight?: number
  /** False = none. */
  requestsPerMinute?: number | false
  tokensPerMinute?: number | false
}
type EditOptions = OfConnection &
  Limits & { label: string; newLabel?: string; on?: boolean; off?: boolean }

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of providers, stored in the vault')
  command<OfConnection>(key, 'list', {
    description: 'list the keys of a connection: label, last four characters, limits, health',
    options: withConnection,
    work: async ({ ctx, options }) => {
      const { listKeys } = await import('@/lib/domains/connections/list-keys')
      const keys = await listKeys(ctx, { id: options.connection })
      return { json: keys, text: () => printKeys(keys) }
    },
  })
  command<OfConnection & { test: boolean; label?: string }>(key, 'set', {
    description: 'test the key of a connection and store it if the provider accepts it',
    options: (made) =>
      withConnection(made)
        .option('--label <label>', 'label of a further key; left out = the key of the connection')
        .option('--no-test', 'store it without testing it')
        .addHelpText('after', example),
    work: async ({ ctx, options: { connection, label: key, test } }) => {
      const given = { ...(await readKey(ctx, connection)), test }
      const { renewTestedKey, replaceConnectionKey } = await tested()
      const answer =
        key === undefined
          ? await replaceConnectionKey(ctx, given)
          : await renewTestedKey(ctx, { ...given, key })
      if (!answer.stored) throw refused(answer.test)
      const { lastFour } = answer
      const json = { connectionId: given.id, lastFour, test: answer.test }
      return { json, text: `Stored the key${endsIn(lastFour)}.` }
    },
  })
  command<OfConnection & { label?: string }>(key, 'delete', {
    description: 'delete the key of a connection from the vault',
    alias: 'remove',
    options: (made) =>
      withConnection(made).option(
        '--label <label>',
        'label of a further key; left out = the key of the connection',
      ),
    reason: true,
    work: async ({ ctx, options: { connection, label: key, reason } }) => {
      const { id } = await (await reads()).findConnection(ctx, connection)
      const { removeConnectionKey, removeKey } = await verbs()
      if (key !== undefined) {
        await removeKey(ctx, { id, key, reason })
        return { json: { connectionId: id, removed: true }, text: `Deleted the key ${key}.` }
      }
      const removed = await removeConnectionKey(ctx, { id, reason })
      const text = removed ? 'Deleted the key.' : 'The connection had no key.'
      return { json: { connectionId: id, removed }, text }
    },
  })
  addFurther(key)
}

/** Adds the commands for further keys of a connection. Requests choose among keys by weight, health and limits. */
function addFurther(key: Command): void {
  command<OfConnection & Limits & { label: string; test: boolean }>(key, 'add', {
    description: 'test a further key and add it to a connection',
    options: (made) =>
      withLimits(
        withConnection(made)
          .requiredOption('--label <label>', 'what it is called')
          .option('--no-test', 'store it without testing it'),
      ).addHelpText('after', addExample),
    work: async ({ ctx, options }) => {
      const { label, test } = options
      const given = await readKey(ctx, options.connection)
      const { addTestedKey } = await tested()
      const answer = await addTestedKey(ctx, { ...given, ...limitsOf(options), label, test })
      if (!answer.stored) throw refused(answer.test)
      const { lastFour } = answer
      const json = { connectionId: given.id, label, lastFour, test: answer.test }
      return { json, text: `Added the key ${label}${endsIn(lastFour)}.` }
    },
  })
  command<EditOptions>(key, 'edit', {
    description: 'change how a key is used; options you leave out keep their value',
    // The two behind the options they switch off: they would set those by themselves otherwise.
    options: (made) =>
      withLimits(
        withConnection(made)
          .requiredOption('--label <label>', 'its label; "main" is the key of the connection')
          .option('--new-label <label>', 'what it is called from now on')
          .option('--on', 'use it, and end its pause')
          .option('--off', 'do not use it'),
      )
        .option('--no-requests-per-minute', 'no limit of requests')
        .option('--no-tokens-per-minute', 'no limit of tokens'),
    reason: true,
    work: async ({ ctx, options }) => {
      const { label: key, newLabel: label, reason, on, off } = options
      const { id } = await (await reads()).findConnection(ctx, options.connection)
      if (on && off) throw new AppError('invalid-input', 422, 'Give --on or --off, not both.')
      const enabled = on ? true : off ? false : undefined
      const change = { ...limitsOf(options), label, enabled, reason }
      const changed = await (await verbs()).changeKey(ctx, { id, key, ...change })
      const text = changed ? `Changed the key ${label ?? key}.` : 'Nothing changed.'
      return { json: { connectionId: id, key: label ?? key, changed }, text }
    },
  })
}

function withConnection(made: Command): Command {
  return made.requiredOption('--connection <name>', 'name or id of the connection')
}

function withLimits(made: Command): Command {
  const perMinute = wholeNumber(1, 2_000_000_000)
  return made
    .option('--weight <number>', 'how often it is picked, 1-1000', wholeNumber(1, 1_000))
    .option('--requests-per-minute <number>', 'at most so many requests a minute', perMinute)
    .option('--tokens-per-minute <number>', 'at most so many tokens a minute', perMinute)
}

/** Reads a key from standard input, for the host that the connection leads to now. */
async function readKey(ctx: Ctx, connection: string) {
  const { readKey } = await import('@/lib/doors/cli/input/read-input')
  const stored = await (await reads()).readConnection(ctx, { id: connection })
  return { id: stored.id, host: secretsHost(stored), apiKey: await readKey() }
}

function printKeys(keys: KeyListing[]): void {
  printTable(
    ['LABEL', 'KEY', 'WEIGHT', 'LIMITS', 'HEALTH'],
    keys.map((key) => [
      key.label,
      key.lastFour === '' ? 'stored' : `…${key.lastFour}`,
      String(key.weight),
      keyLimitWords(key),
      keyHealthWord(key.health) + untilWords(key.health),
    ]),
  )
}

function untilWords(health: KeyHealth): string {
  return 'until' in health ? ` until ${health.until}` : ''
}

function limitsOf({ weight, requestsPerMinute, tokensPerMinute }: Limits) {
  return {
    ...(weight !== undefined && { weight }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute: requestsPerMinute || null }),
    ...(tokensPerMinute !== undefined && { tokensPerMinute: tokensPerMinute || null }),
  }
}

function endsIn(lastFour: string): string {
  return lastFour === '' ? '' : ` that ends in ${lastFour}`
}

function refused({ outcome, message }: ConnectionTest): AppError {
  return new AppError(
    'key-refused',
    422,
    `The new key was not stored; an old one stays in place. ${message} (${outcome}) To store it anyway, add --no-test.`,
  )
}

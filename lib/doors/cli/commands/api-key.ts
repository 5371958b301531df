import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ApiKeyListing } from '@/lib/domains/api-keys/schemas'
import { nameList, wholeNumber } from '@/lib/doors/cli/input/common-options'
import {
  type LimitNames,
  namesOrAll,
  orNull,
  type ToolLimitOptions,
  toolLimitsIn,
  withToolLimits,
} from '@/lib/doors/cli/input/limit-options'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { ApiScope, sensitiveAmong } from '@/lib/protocol/api-scope'
import { limitWords } from '@/lib/protocol/key-limits'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'

const keys = () => import('@/lib/domains/api-keys/verbs')

type AddOptions = Limits & {
  user: string
  name: string
  scopes: string[]
  /** Days. */
  expires?: number | 'never'
  expiresInDays?: number
}

export function addApiKeyCommands(program: Command): void {
  const apiKey = program
    .command('api-key')
    .description('keys for the HTTP API of this installation')
  command<AddOptions>(apiKey, 'add', {
    description: 'add a key and show it once; it never allows more than its account may do',
    alias: 'create',
    options: withKeyOptions,
    work: ({ ctx, options }) => addKey(ctx, options),
  })
  command(apiKey, 'list', {
    description: 'list the keys (secrets are never shown)',
    work: async ({ ctx }) => {
      const listed = await (await keys()).listApiKeys(ctx)
      const { readKeySpend } = await import('@/lib/domains/usage/spend')
      const spend = await readKeySpend(
        ctx,
        listed.map(({ id }) => id),
      )
      const spent = new Map(spend.map((each) => [each.key, each.cost]))
      return { json: listed, text: () => printKeys(listed, spent) }
    },
  })
  command<LimitOptions>(apiKey, 'limit', {
    description:
      'limit a key to tools and configurations, from the next call of its runs on; options you leave out keep their value',
    args: { '<id>': 'id of the key, from the list' },
    confirms: 'cases',
    reason: true,
    options: withLimitOptions,
    work: ({ ctx, args: [id = ''], options }) => limitKey(ctx, id, options),
  })
  command(apiKey, 'enable', {
    description: 'switch on a key that is off since this installation was restored from a backup',
    args: { '<id>': 'id of the key, from the list' },
    reason: true,
    work: async ({ ctx, args: [id = ''], options: { reason } }) => {
      const { switchOnApiKey } = await import('@/lib/domains/api-keys/checked-verbs')
      await switchOnApiKey(ctx, { keyId: id, reason })
      return { json: { id, enabled: true }, text: 'The key is on.' }
    },
  })
  command<{ keepRuns?: boolean }>(apiKey, 'revoke', {
    description: 'revoke a key at once and stop the active runs that were started with it',
    args: { '<id>': 'id of the key, from the list' },
    reason: true,
    options: (made) => made.option('--keep-runs', 'do not stop its runs'),
    work: async ({ ctx, args: [id = ''], options: { keepRuns = false, reason } }) => {
      const { revokeKey } = await import('@/lib/runs/verbs')
      const { stoppedRuns } = await revokeKey(ctx, { keyId: id, stopRuns: !keepRuns, reason })
      return {
        json: { id, revoked: true, stoppedRuns },
        text: () => {
          printLine('Revoked the key.')
          if (stoppedRuns > 0) printLine(`Stopping ${countOf(stoppedRuns, 'run')} started with it.`)
        },
      }
    },
  })
}

type Limits = ToolLimitOptions & { configurations?: LimitNames }
type LimitOptions = Limits & { reason?: string }

function withLimitOptions(made: Command): Command {
  return withToolLimits(made).option(
    '--configurations <names>',
    'identifiers or ids, or all',
    namesOrAll,
  )
}

async function limitKey(ctx: Ctx, id: string, options: LimitOptions) {
  const { limitApiKey } = await import('@/lib/joined-verbs')
  const { reason } = options
  await limitApiKey(ctx, { id, ...limitsIn(options), ...(reason !== undefined && { reason }) })
  const key = (await (await keys()).listApiKeys(ctx)).find((each) => each.id === id)
  if (!key) throw new NotFoundError('The API key')
  const words = limitWords(key.limits) ?? 'all that its owner may use'
  const unusable = key.unusableScopes.join(', ')
  return {
    json: key,
    text: () => {
      printLine(`The key ${key.name} may use ${words}.`)
      if (unusable !== '') printLine(`Limited, it cannot use its scopes ${unusable}.`)
    },
  }
}

function limitsIn({ configurations, ...tools }: Limits) {
  return {
    ...toolLimitsIn(tools),
    ...(configurations && { configurations: orNull(configurations) }),
  }
}

function withKeyOptions(made: Command): Command {
  return withLimitOptions(made)
    .requiredOption('--user <email>', 'account that the key acts for')
    .requiredOption('--name <name>', 'purpose of the key')
    .requiredOption(
      '--scopes <names>',
      `scopes, separated by commas: ${ApiScope.options.join(', ')}; a limited key may have those that end in :read, runs:write, approvals:write and memory:write`,
      nameList,
    )
    .option(
      '--expires <time>',
      'when it expires, in days such as 30d, or never (default: 90d)',
      expiryDays,
    )
    .addOption(
      new Option('--expires-in-days <number>', 'the same as a number of days')
        .argParser(wholeNumber(1, 3650))
        .conflicts('expires'),
    )
}

function expiryDays(text: string): number | 'never' {
  if (text === 'never') return text
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  if (days !== undefined && Number(days) >= 1 && Number(days) <= 3650) return Number(days)
  throw new InvalidArgumentError('Give days from 1d to 3650d, or never.')
}

async function addKey(ctx: Ctx, { name, user, expires, expiresInDays, ...options }: AddOptions) {
  const scopes = await readScopes(options.scopes)
  const { listUsers } = await import('@/lib/domains/users/reads')
  const email = user.trim().toLowerCase()
  const owner = (await listUsers(ctx)).find((each) => each.email === email)
  if (!owner) throw new NotFoundError('The account given with --user')
  const { createApiKey } = await import('@/lib/joined-verbs')
  const { id, token, prefix, expiresAt } = await createApiKey(ctx, {
    name,
    scopes,
    expiresInDays: expires === 'never' ? null : (expires ?? expiresInDays),
    userId: owner.id,
    ...limitsIn(options),
  })
  const end = expiresAt === null ? 'does not expire' : `expires ${expiresAt}`
  return {
    json: { id, token, prefix, scopes, expiresAt },
    text: () => {
      printLine(
        `Added the key ${prefix}… (${id}) for ${owner.email}. It ${end}. It is shown only now:`,
      )
      printLine(token)
      const sensitive = sensitiveAmong(scopes)
      if (sensitive.length > 0)
        printLine(
          `It has sensitive scopes, for what the console asks for a confirmation of identity: ${sensitive.join(', ')}.`,
        )
    },
  }
}

/** Throws ValidationError that lists the scopes there are. */
async function readScopes(names: string[]): Promise<ApiScope[]> {
  const { z } = await import('zod')
  const { parseInput } = await import('@/lib/kernel/parse-input')
  const message = `A scope is one of ${ApiScope.options.join(', ')}.`
  return parseInput(z.array(z.enum(ApiScope.options, message)), names)
}

function printKeys(listed: ApiKeyListing[], spent: ReadonlyMap<string, string>): void {
  printTable(
    [
      'ID',
      'KEY',
      'NAME',
      'ACCOUNT',
      'SCOPES',
      'STATE',
      'EXPIRES',
      'LAST USED',
      'THIS MONTH',
      'MAY USE',
    ],
    listed.map((key) => [
      key.id,
      `${key.prefix}…`,
      key.name,
      key.userEmail,
      key.scopes.map((scope) => scopeWords(key, scope)).join(','),
      stateOf(key),
      key.expiresAt ?? 'never',
      key.lastUsedAt ?? 'never',
      spent.get(key.id) ?? 'no requests',
      limitWords(key.limits) ?? 'all',
    ]),
  )
}

function scopeWords({ unusableScopes }: ApiKeyListing, scope: ApiScope): string {
  return unusableScopes.includes(scope) ? `${scope} (cannot be used)` : scope
}

function stateOf({ revokedAt, expiresAt, pausedAt }: ApiKeyListing): string {
  if (revokedAt) return 'revoked'
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return 'expired'
  return pausedAt ? 'off since a restore' : 'active'
}

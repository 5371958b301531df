import type { KeyHealth } from '@/lib/domains/connections/key-schemas'
import {
  changeKey,
  removeConnectionKey,
  removeKey as removeFurtherKey,
} from '@/lib/domains/connections/key-verbs'
import { listKeys } from '@/lib/domains/connections/list-keys'
import { findConnection, readConnection } from '@/lib/domains/connections/reads'
import type { ConnectionTest } from '@/lib/domains/connections/schemas'
import { AppError } from '@/lib/kernel/errors'
import { addTestedKey, renewTestedKey, replaceConnectionKey } from '@/lib/probes/store-further-key'
import { keyHealthWord, keyLimitWords } from '@/lib/protocol/key-words'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { readSecret } from './read-standard-input'

type OfConnection = CommonOptions & { connection: string }
type Limits = {
  weight?: number
  /** False = none. */
  requestsPerMinute?: number | false
  tokensPerMinute?: number | false
}
export type ListKeysOptions = OfConnection
export type SetKeyOptions = OfConnection & { test: boolean; label?: string }
export type AddKeyOptions = OfConnection & Limits & { label: string; test: boolean }
export type EditKeyOptions = OfConnection &
  Limits & { label: string; newLabel?: string; on?: boolean; off?: boolean; reason?: string }
export type RemoveKeyOptions = OfConnection & { label?: string; reason?: string }

export async function printKeys(options: ListKeysOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const keys = await listKeys(ctx, { id: (await findConnection(ctx, options.connection)).id })
  if (options.json) return printJson(keys)
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

/** The key is read from standard input; the provider is asked first, unless told not to. */
export async function addFurtherKey(options: AddKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, options.connection)
  const host = secretsHost(await readConnection(ctx, { id }))
  const apiKey = await readSecret('the API key')
  const { label, test } = options
  const answer = await addTestedKey(ctx, { id, ...limitsOf(options), label, apiKey, test, host })
  if (!answer.stored) throw refused(answer.test)
  const { lastFour } = answer
  if (options.json) return printJson({ connectionId: id, label, lastFour, test: answer.test })
  printLine(`Added the key ${label}${endsIn(lastFour)}.`)
}

export async function editKey(options: EditKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id: connectionId } = await findConnection(ctx, options.connection)
  const { label: key, newLabel: label, reason, on, off } = options
  if (on && off) throw new AppError('invalid-input', 422, 'Give --on or --off, not both.')
  const enabled = on ? true : off ? false : undefined
  const change = { ...limitsOf(options), label, enabled, reason }
  const changed = await changeKey(ctx, { id: connectionId, key, ...change })
  if (options.json) return printJson({ connectionId, key: label ?? key, changed })
  printLine(changed ? `Changed the key ${label ?? key}.` : 'Nothing changed.')
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

/** The provider is asked first, unless told not to. Only the end of the key is ever shown again. */
export async function setKey(options: SetKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, options.connection)
  const host = secretsHost(await readConnection(ctx, { id }))
  const apiKey = await readSecret('the API key')
  const { label: key, test: wanted } = options
  const answer =
    key === undefined
      ? await replaceConnectionKey(ctx, { id, apiKey, test: wanted, host })
      : await renewTestedKey(ctx, { id, key, apiKey, test: wanted, host })
  if (!answer.stored) throw refused(answer.test)
  const { lastFour, test } = answer
  if (options.json) return printJson({ connectionId: id, lastFour, test })
  printLine(`Stored the key${endsIn(lastFour)}.`)
}

export async function removeKey(options: RemoveKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, options.connection)
  const { label: key } = options
  if (key !== undefined) {
    await removeFurtherKey(ctx, { id, key, reason: options.reason })
    if (options.json) return printJson({ connectionId: id, removed: true })
    return printLine(`Deleted the key ${key}.`)
  }
  const removed = await removeConnectionKey(ctx, { id, reason: options.reason })
  if (options.json) return printJson({ connectionId: id, removed })
  printLine(removed ? 'Deleted the key.' : 'The connection had no key.')
}

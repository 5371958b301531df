import { findConnection } from '@/lib/connections/find-connection'
import { readConnection } from '@/lib/connections/read-connection'
import { removeConnectionKey } from '@/lib/connections/remove-connection-key'
import { AppError } from '@/lib/errors'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { replaceConnectionKey } from '@/lib/runs/replace-connection-key'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'
import { readSecret } from './read-standard-input'

export type SetKeyOptions = CommonOptions & { connection: string; test: boolean }
export type RemoveKeyOptions = CommonOptions & { connection: string; reason?: string }

/** The provider is asked first, unless told not to. Only the end of the key is ever shown again. */
export async function setKey(options: SetKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, options.connection)
  const host = secretsHost(await readConnection(ctx, id))
  const apiKey = await readSecret('the API key')
  const answer = await replaceConnectionKey(ctx, id, { apiKey, test: options.test, host })
  if (!answer.stored) {
    const { outcome, message } = answer.test
    throw new AppError(
      'key-refused',
      422,
      `The new key was not stored; an old one stays in place. ${message} (${outcome}) To store it anyway, add --no-test.`,
    )
  }
  const { lastFour, test } = answer
  if (options.json) return printJson({ connectionId: id, lastFour, test })
  printLine(lastFour === '' ? 'Stored the key.' : `Stored the key that ends in ${lastFour}.`)
}

export async function removeKey(options: RemoveKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, options.connection)
  const removed = await removeConnectionKey(ctx, id, { reason: options.reason })
  if (options.json) return printJson({ connectionId: id, removed })
  printLine(removed ? 'Deleted the key.' : 'The connection had no key.')
}

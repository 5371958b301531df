import {
  type ChannelMessage,
  type Delivery,
  notDelivered,
} from '@/lib/domains/channels/shared/delivery'
import { openSecret } from '@/lib/domains/vault/secrets'
import type { Tx } from '@/lib/kernel/db'
import { AppError } from '@/lib/kernel/errors'
import { mailAddresses } from '../shape'
import { requireChannel, type StoredChannel } from '../stored'
import { type OpenChannel, sendMessage } from './send-message'

/**
 * Sends one message through a stored channel, once. Throws only what the database does: a channel that is gone, or whose
 * secrets cannot be used, is an outcome.
 */
export async function sendToChannel(
  tx: Tx,
  id: string,
  message: ChannelMessage,
  signal?: AbortSignal,
): Promise<Delivery> {
  try {
    const channel = await openChannel(tx, await requireChannel(tx, id))
    if (channel) return await sendMessage(channel, message, signal)
    const trouble = 'A secret of this channel is missing. Enter its address and its secret again.'
    return notDelivered('final', trouble)
  } catch (error) {
    if (error instanceof AppError) return notDelivered('final', error.message)
    throw error
  }
}

/** Returns a channel with its secrets, for sending; null when one that it needs is not stored. */
async function openChannel(tx: Tx, row: StoredChannel): Promise<OpenChannel | null> {
  const { kind, privateAddressAllowed, addressSecretId, secretId } = row
  if (kind === 'smtp') {
    const { host, port, security, user, sender: from, recipients } = row
    if (host === null || from === null || recipients === null) return null
    const to = mailAddresses(recipients)
    const password = secretId && (await openSecret(tx, secretId))
    return {
      kind,
      privateAddressAllowed,
      route: { host, port, security, user, from, to },
      password,
    }
  }
  if (addressSecretId === null) return null
  const url = await openSecret(tx, addressSecretId)
  if (kind === 'slack') return { kind, privateAddressAllowed, url }
  if (secretId === null) return null
  return { kind, privateAddressAllowed, url, secret: await openSecret(tx, secretId) }
}

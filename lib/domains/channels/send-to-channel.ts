import type { Tx } from '../../kernel/db'
import { AppError } from '../../kernel/errors'
import { sendMessage } from './send/send-message'
import type { ChannelMessage, Delivery } from './shape'
import { openChannel, requireChannel } from './stored'

/**
 * Sends one message through a stored channel, once. Throws only what the database does: a channel that is gone, or whose
 * secrets cannot be used, is an outcome.
 */
export async function sendToChannel(
  tx: Tx,
  id: string,
  message: ChannelMessage,
): Promise<Delivery> {
  try {
    const channel = await openChannel(tx, await requireChannel(tx, id))
    if (channel) return await sendMessage(channel, message)
    return notSent('A secret of this channel is missing. Enter its address and its secret again.')
  } catch (error) {
    if (error instanceof AppError) return notSent(error.message)
    throw error
  }
}

function notSent(trouble: string): Delivery {
  return { isAccepted: false, trouble, retryAfterSeconds: null }
}

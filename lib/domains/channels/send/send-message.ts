import { cleanText, visibleText } from '../../../protocol/clean-text'
import type { ChannelMessage, Delivery } from '../../../protocol/delivery'
import { sendToSlack } from './slack'
import { type MailRoute, sendMail } from './smtp'
import { sendToWebhook } from './webhook'

/** A channel with its secrets, for sending: never a part of a page, an event, a log line or an audit row. */
export type OpenChannel = { privateAddressAllowed: boolean } & (
  | { kind: 'webhook'; url: string; secret: string }
  | { kind: 'slack'; url: string }
  | { kind: 'smtp'; route: MailRoute; password: string | null }
)

/**
 * Sends one message through a channel, once, only to addresses that egress rules allow. Never throws; nothing of what it
 * returns was written by the receiver.
 */
export function sendMessage(channel: OpenChannel, message: ChannelMessage): Promise<Delivery> {
  const clean = {
    title: cleanLines(message.title).replace(/\s+/g, ' ').trim(),
    text: cleanLines(message.text),
  }
  switch (channel.kind) {
    case 'webhook':
      return sendToWebhook(channel, message.data)
    case 'slack':
      return sendToSlack(channel, clean)
    case 'smtp':
      return sendMail(channel, clean)
    default:
      return channel satisfies never
  }
}

/** Returns text without control characters, in which other invisible characters are shown. */
function cleanLines(text: string): string {
  return visibleText(cleanText(text))
}

import type { ChannelMessage, Delivery, MessageText } from '@/lib/domains/channels/shared/delivery'
import { cleanText, escapeInvisible, visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { sendToSlack, slackText } from './slack'
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
export function sendMessage(
  channel: OpenChannel,
  message: ChannelMessage,
  signal?: AbortSignal,
): Promise<Delivery> {
  switch (channel.kind) {
    case 'webhook':
      return sendToWebhook(channel, message.data, signal)
    case 'slack':
      return sendToSlack(channel, cleanMessage(message), signal)
    case 'smtp':
      return sendMail(channel, cleanMessage(message), signal)
    default:
      return channel satisfies never
  }
}

/** Channel facts that shape a message. `to`: number of mail recipients. */
type Look = { kind: OpenChannel['kind']; sender: string | null; to: number }

/** Returns a message exactly as people see it at a channel, or as the program behind a signed webhook gets it. */
export function shownMessage({ kind, sender, to }: Look, message: ChannelMessage): string {
  const { title, text } = cleanMessage(message)
  switch (kind) {
    case 'webhook':
      return escapeInvisible(JSON.stringify(message.data, null, 2))
    case 'slack':
      return slackText({ title, text })
    case 'smtp':
      return `From: ${sender}\nTo: ${countOf(to, 'recipient')}\nSubject: ${title}\n\n${text}`
    default:
      return kind satisfies never
  }
}

function cleanMessage({ title, text }: MessageText): MessageText {
  return { title: cleanLines(title).replace(/\s+/g, ' ').trim(), text: cleanLines(text) }
}

/** Returns text without control characters, in which other invisible characters are shown. */
function cleanLines(text: string): string {
  return visibleText(cleanText(text))
}

import type { Delivery, MessageText } from '@/lib/domains/channels/shared/delivery'
import { postJson } from './post-json'

type SlackWebhook = { url: string; privateAddressAllowed: boolean }

/** Posts a message to a Slack-compatible incoming webhook. Never throws. */
export function sendToSlack(
  webhook: SlackWebhook,
  message: MessageText,
  signal?: AbortSignal,
): Promise<Delivery> {
  return postJson(webhook, { body: slackBody(message), signal })
}

/** Returns what is posted for a message, as JSON. */
export function slackBody(message: MessageText): string {
  // Previews are off: they would tell the host of a link about the message.
  const quiet = { mrkdwn: false, unfurl_links: false, unfurl_media: false }
  return JSON.stringify({ text: escaped(slackText(message)), ...quiet })
}

/**
 * Returns a message as Slack and Mattermost show it: the text as it is, without mentions that notify anybody, and without
 * links whose words hide where they lead.
 */
export function slackText({ title, text }: MessageText): string {
  const whole = text === '' ? title : `${title}\n${text}`
  return whole
    .replace(
      /@(?=(?:channel|here|all|everyone)\b)|(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}_])/giu,
      '@\u200b',
    )
    .replace(/\](?=\s*[([:])/g, ']\u200b')
}

/** Writes what has a meaning for Slack as the characters themselves. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

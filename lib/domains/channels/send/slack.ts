import type { Delivery } from '../../../protocol/delivery'
import { postJson } from './post-json'

type SlackWebhook = { url: string; privateAddressAllowed: boolean }

/** Posts a message to a Slack-compatible incoming webhook. Never throws. */
export function sendToSlack(
  webhook: SlackWebhook,
  { title, text }: { title: string; text: string },
): Promise<Delivery> {
  const whole = text === '' ? title : `${title}\n${text}`
  return postJson(webhook, JSON.stringify({ text: plainSlackText(whole) }))
}

/**
 * Returns text that Slack and Mattermost show as it is: without links of its own making, and without mentions that
 * notify everybody.
 */
function plainSlackText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=(?:channel|here|all|everyone)\b)/gi, '@\u200b')
}

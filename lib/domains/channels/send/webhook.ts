import { createHmac } from 'node:crypto'
import type { Delivery } from '@/lib/domains/channels/shared/delivery'
import { postJson } from './post-json'

type Webhook = { url: string; secret: string; privateAddressAllowed: boolean }

/**
 * Posts `data` as JSON, signed: `Toolgate-Signature: t=<seconds since 1970>,v1=<hex>`, where the hex is HMAC-SHA256 of
 * `<t>.<body>` with the secret. Never throws.
 */
export function sendToWebhook(
  webhook: Webhook,
  data: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Delivery> {
  const body = JSON.stringify(data)
  const signed = signature(webhook.secret, body, Math.floor(Date.now() / 1000))
  return postJson(webhook, { body, headers: { 'toolgate-signature': signed }, signal })
}

/** Returns the value of the signature header. Receivers compute the same and refuse old times. */
export function signature(secret: string, body: string, at: number): string {
  const hex = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return `t=${at},v1=${hex}`
}

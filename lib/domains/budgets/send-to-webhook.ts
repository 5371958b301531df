import { createHmac } from 'node:crypto'
import { Agent } from 'undici'
import { EgressError, egressConnector } from '../../engines/egress/egress-connector'
import type { Tx } from '../../kernel/db'
import { openSecret } from '../vault/secrets'
import type { StoredAlertWebhook } from './alert-webhook'

const timeoutMs = 10_000

/** Null = accepted (any 2xx); else one sentence: what happened and what to do. The body is not read. */
export type Delivery = string | null

/**
 * Posts `payload` as JSON, signed: `Toolgate-Signature: t=<seconds since 1970>,v1=<hex>`, where the hex is HMAC-SHA256
 * of `<t>.<body>` with the secret. Follows no redirect, goes only where egress rules allow; never throws.
 */
export async function sendToWebhook(
  tx: Tx,
  { urlId, secretId, privateAddressAllowed }: StoredAlertWebhook,
  payload: object,
): Promise<Delivery> {
  const connect = egressConnector({ privateAllowed: privateAddressAllowed }, timeoutMs)
  const agent = new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  try {
    const body = JSON.stringify(payload)
    const secret = await openSecret(tx, secretId)
    const { origin, pathname, search } = new URL(await openSecret(tx, urlId))
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Toolgate',
        'toolgate-signature': signature(secret, body, Math.floor(Date.now() / 1000)),
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    answer.body.on('error', () => undefined)
    answer.body.destroy()
    return refusal(answer.statusCode)
  } catch (error) {
    return troubleWords(error)
  } finally {
    await agent.destroy().catch(() => undefined)
  }
}

/** Returns the value of the signature header. Receivers compute the same and refuse old times. */
export function signature(secret: string, body: string, at: number): string {
  const hex = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return `t=${at},v1=${hex}`
}

function refusal(status: number): Delivery {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `The webhook redirects to another address (${status}), and redirects are not followed. Enter that address instead.`
  }
  if (status === 401 || status === 403) {
    return `The webhook refused the alert (${status}). Check its address and the secret on both sides.`
  }
  return `The webhook answered ${status}. Check the log of that server.`
}

function troubleWords(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof EgressError) {
    return 'The webhook’s address is private, reserved or on this machine, so it is blocked. If that is intended, allow private addresses in the webhook settings.'
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'The host of the webhook was not found. Check the address.'
  }
  if (code === 'ECONNREFUSED')
    return 'No server is listening at the webhook’s address. Check the host and the port.'
  return `The webhook could not be reached${code === '' ? '' : ` (${code})`}. Check its address and the network.`
}

import { Agent } from 'undici'
import { type Delivery, notDelivered } from '@/lib/domains/channels/shared/delivery'
import { egressConnector } from '@/lib/engines/egress/egress-connector'
import { unreachable } from './unreachable'

const timeoutMs = 10_000
/** The longest wait that a receiver can ask for. */
const longestWaitSeconds = 6 * 3_600

type Receiver = { url: string; privateAddressAllowed: boolean }

type Post = { body: string; headers?: Record<string, string>; signal?: AbortSignal | undefined }

/**
 * Posts JSON text. Any 2xx answer accepts it; the body of an answer is not read. Follows no redirect, goes only where
 * egress rules allow; never throws.
 */
export async function postJson(
  { url, privateAddressAllowed }: Receiver,
  { body, headers = {}, signal }: Post,
): Promise<Delivery> {
  const connect = egressConnector({ privateAllowed: privateAddressAllowed }, timeoutMs)
  const agent = new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  try {
    const { origin, pathname, search } = new URL(url)
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Toolgate', ...headers },
      body,
      signal: withinTime(timeoutMs, signal),
    })
    answer.body.on('error', () => undefined)
    answer.body.destroy()
    const { statusCode: status } = answer
    const trouble = refusalWords(status)
    if (trouble === null) {
      return { isAccepted: true, trouble, failure: null, status, retryAfterSeconds: null }
    }
    const isForNow = status === 408 || status === 429 || status >= 500
    return notDelivered(isForNow ? 'later' : 'final', trouble, {
      status,
      retryAfterSeconds: secondsToWait(answer.headers['retry-after']),
    })
  } catch (error) {
    return unreachable(error, 'webhook')
  } finally {
    await agent.destroy().catch(() => undefined)
  }
}

/** Returns a signal that aborts after so many ms, or when `signal` does. */
export function withinTime(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(ms)
  return signal ? AbortSignal.any([timeout, signal]) : timeout
}

function refusalWords(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `The webhook redirects to another address (${status}), and redirects are not followed. Enter that address instead.`
  }
  if (status === 401 || status === 403) {
    return `The webhook refused the message (${status}). Check its address and its secret on both sides.`
  }
  if (status === 404 || status === 410) {
    return `The webhook does not exist at this address (${status}). Create it again there, and enter its address.`
  }
  if (status === 429) return 'The webhook received too many messages (429). Wait, then try again.'
  return `The webhook answered ${status}. Check the log of that server.`
}

/** Returns the seconds that a Retry-After header asks for, limited; null when it says nothing that can be read. */
export function secondsToWait(header: string | string[] | undefined): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : Math.ceil((Date.parse(text) - Date.now()) / 1_000)
  if (Number.isNaN(seconds) || seconds <= 0) return null
  return Math.min(seconds, longestWaitSeconds)
}

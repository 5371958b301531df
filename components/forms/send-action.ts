import type { ActionResult } from '@/lib/action'

/** Sends an action; a server that does not answer is a failure like any other. */
export async function sendAction<T>(
  send: () => Promise<ActionResult<T>>,
): Promise<ActionResult<T>> {
  try {
    return await send()
  } catch {
    const message = 'The server did not answer. Check the connection and try again.'
    return { ok: false, error: { code: 'unreachable', message } }
  }
}

import type { ActionError, ActionResult } from '@/lib/action'

/** What went wrong when an action was sent, a server that does not answer included; null = it is done. */
export async function sendSwitch(
  send: () => Promise<ActionResult<unknown>>,
): Promise<ActionError | null> {
  try {
    const result = await send()
    return result.ok ? null : result.error
  } catch {
    return {
      code: 'unreachable',
      message: 'The server did not answer. Check the connection and try again.',
    }
  }
}

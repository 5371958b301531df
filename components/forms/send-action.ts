import type { ActionResult } from '@/lib/action'

const messages = {
  unreachable: 'The server did not answer. Check the connection and try again.',
  // What the server reads of one form ends at 1 MB.
  unusable:
    'The server gave no answer that makes sense. If what you sent is very long, shorten it; else try again, or reload the page.',
  unauthenticated:
    'Your session has ended. Sign in in another tab and try again: what you typed stays here.',
} as const

/** Sends an action; a server that does not answer is a failure like any other. */
export async function sendAction<T>(
  send: () => Promise<ActionResult<T>>,
): Promise<ActionResult<T>> {
  try {
    const result = await send()
    if (result.ok || result.error.code !== 'unauthenticated') return result
    return failure('unauthenticated')
  } catch (error) {
    // A browser that reached nobody says so with a TypeError.
    return failure(error instanceof TypeError ? 'unreachable' : 'unusable')
  }
}

function failure<T>(code: keyof typeof messages): ActionResult<T> {
  return { ok: false, error: { code, message: messages[code] } }
}

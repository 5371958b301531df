import type { ActionError, ActionResult } from '@/lib/kernel/action'

const messages = {
  unreachable: 'The server did not answer. Check the connection and try again.',
  unusable: 'The server sent an answer that cannot be read. Try again, or reload the page.',
  unauthenticated:
    'Your session has ended. Sign in again in another tab, then try again. Your input stays here.',
} as const

/** Sends an action; a server that does not answer is a failure like any other. */
export async function sendAction<T>(
  send: () => Promise<ActionResult<T>>,
): Promise<ActionResult<T>> {
  try {
    const result = await send()
    return result.ok ? result : { ok: false, error: reworded(result.error) }
  } catch (error) {
    return { ok: false, error: reworded(actionError(error)) }
  }
}

/** Returns why an action that threw was not run: the server did not answer, or refused it before it began. */
function actionError(error: unknown): ActionError {
  // `fetch` throws a TypeError when the server cannot be reached.
  if (error instanceof TypeError) return failure('unreachable')
  try {
    // The answer of lib/doors/requests/refused-action.ts is the error's message.
    const { code, message }: Partial<ActionError> = JSON.parse(String((error as Error).message))
    if (typeof code === 'string' && typeof message === 'string') return { code, message }
  } catch {}
  return failure('unusable')
}

function reworded(error: ActionError): ActionError {
  return error.code === 'unauthenticated' ? failure('unauthenticated') : error
}

function failure(code: keyof typeof messages): ActionError {
  return { code, message: messages[code] }
}

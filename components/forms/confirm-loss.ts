import type { ActionResult } from '@/lib/next/action'
import { confirmationCookie, confirmationName } from '@/lib/protocol/typed-confirmation'

type Sending<T> = {
  /** Sends the action once more, in the way that is given. */
  attempt: (
    sent: (send: () => Promise<ActionResult<T>>) => Promise<ActionResult<T>>,
  ) => Promise<ActionResult<T>>
  /** Asks for the text; null = the person leaves. */
  ask: (consequence: string) => Promise<string | null>
}

/** Asks until the action is not refused for what nobody could do then, or the person leaves. A second refusal has other sentences. */
export async function confirmLoss<T>(
  refused: ActionResult<T>,
  { attempt, ask }: Sending<T>,
): Promise<ActionResult<T>> {
  let result = refused
  while (!result.ok && result.error.code === 'unconfirmed') {
    const { message } = result.error
    const typed = await ask(message)
    if (typed === null) return result
    result = await attempt((send) => withConfirmation(confirmationCookie(typed, message), send))
  }
  return result
}

/** Sends an action with a confirmation in a cookie, which is removed then: a server action has no headers of its own. */
async function withConfirmation<T>(confirmation: string, send: () => Promise<T>): Promise<T> {
  const cookie = (value: string, seconds: number) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
    document.cookie = `${confirmationName}=${value}; path=/; max-age=${seconds}; samesite=strict`
  }
  cookie(confirmation, 60)
  try {
    return await send()
  } finally {
    cookie('', 0)
  }
}

import type { ActionResult } from '@/lib/next/action'
import {
  breakReasonName,
  confirmationCookie,
  confirmationName,
} from '@/lib/protocol/typed-confirmation'

/** Asks for the text that confirms an effect of a change, in the words of the refusal; null = the person leaves. */
type Ask = (refusal: string) => Promise<string | null>

type Sending<T> = {
  /** Sends the action once more, in the way that is given. */
  attempt: (
    sent: (send: () => Promise<ActionResult<T>>) => Promise<ActionResult<T>>,
  ) => Promise<ActionResult<T>>
  asks: { nobodyLeft: Ask; brokenCases: Ask }
}

/**
 * Asks until the action is not refused for an effect that somebody has to confirm, or the person leaves. A second refusal has other
 * sentences.
 */
export async function confirmEffects<T>(
  refused: ActionResult<T>,
  { attempt, asks }: Sending<T>,
): Promise<ActionResult<T>> {
  const confirmed = new Map<string, string>()
  let result = refused
  while (!result.ok) {
    const { code, message } = result.error
    const isLoss = code === 'unconfirmed'
    if (!isLoss && code !== 'breaks-policy-cases') return result
    const typed = await (isLoss ? asks.nobodyLeft : asks.brokenCases)(message)
    if (typed === null) return result
    confirmed.set(isLoss ? confirmationName : breakReasonName, confirmationCookie(typed, message))
    result = await attempt((send) => withCookies(confirmed, send))
  }
  return result
}

/** Sends an action with cookies, which are removed then: a server action has no headers of its own. */
async function withCookies<T>(
  values: ReadonlyMap<string, string>,
  send: () => Promise<T>,
): Promise<T> {
  const keep = (name: string, value: string, seconds: number) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
    document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=strict`
  }
  for (const [name, value] of values) keep(name, value, 60)
  try {
    return await send()
  } finally {
    for (const name of values.keys()) keep(name, '', 0)
  }
}

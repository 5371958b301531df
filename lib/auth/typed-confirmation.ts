import { z } from 'zod'
import { breakReasonName, confirmationName } from '@/lib/protocol/typed-confirmation'
import { cookieOf } from './session-cookie'

/** Text with which a caller confirms a change that is refused otherwise. `read`: hash of the refusal that they read; left out: any. */
export type Confirmation = { typed: string; read?: string }

/** Texts that a request has for the effects of a change; null = none. */
export type SentConfirmations = {
  nobodyLeft: Confirmation | null
  brokenCases: Confirmation | null
}

/** Returns the confirmations in the headers of a request to the API. */
export function confirmationsInHeaders(headers: Headers): SentConfirmations {
  const inHeader = (name: string) => {
    const typed = headers.get(name)
    return typed === null ? null : { typed: decoded(typed) }
  }
  return { nobodyLeft: inHeader(confirmationName), brokenCases: inHeader(breakReasonName) }
}

/** Returns a text that was percent-encoded, because headers have no other letters than those of ASCII. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const Sent = z.tuple([z.string(), z.string()])

/** Returns the confirmations in the cookies that the console sends, because its server actions have no headers of their own. */
export function confirmationsInCookies(headers: Headers): SentConfirmations {
  const inCookie = (name: string) => {
    const value = cookieOf(headers.get('cookie'), name)
    if (value === undefined) return null
    try {
      const [typed, read] = Sent.parse(JSON.parse(decodeURIComponent(value)))
      return { typed, read }
    } catch {
      // Not written by the console.
      return null
    }
  }
  return { nobodyLeft: inCookie(confirmationName), brokenCases: inCookie(breakReasonName) }
}

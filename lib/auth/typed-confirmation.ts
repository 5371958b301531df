import { z } from 'zod'
import { confirmationName } from '@/lib/protocol/typed-confirmation'
import { cookieOf } from './session-cookie'

/** Text with which a caller confirms a change that is refused otherwise. `read`: hash of the refusal that they read; left out: any. */
export type Confirmation = { typed: string; read?: string }

/** Returns the confirmation in the header of a request to the API; null = none. */
export function confirmationInHeader(headers: Headers): Confirmation | null {
  const typed = headers.get(confirmationName)
  return typed === null ? null : { typed }
}

const Sent = z.tuple([z.string(), z.string()])

/** Returns the confirmation in the cookie that the console sends, because its server actions have no headers of their own; null = none. */
export function confirmationInCookie(headers: Headers): Confirmation | null {
  const value = cookieOf(headers.get('cookie'), confirmationName)
  if (value === undefined) return null
  try {
    const [typed, read] = Sent.parse(JSON.parse(decodeURIComponent(value)))
    return { typed, read }
  } catch {
    // Not written by the console.
    return null
  }
}

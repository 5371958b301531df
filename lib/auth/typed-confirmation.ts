import { confirmationName } from '@/lib/protocol/approval'
import { cookieOf } from './session-cookie'

/**
 * Returns the text with which the caller confirms a change that is refused otherwise; null = none. The console sends it in a
 * cookie, because its server actions have no headers of their own.
 */
export function typedConfirmation(headers: Headers): string | null {
  const sent = headers.get(confirmationName)
  if (sent !== null) return sent
  const typed = cookieOf(headers.get('cookie'), confirmationName)
  return new URLSearchParams(`typed=${typed ?? ''}`).get('typed')
}

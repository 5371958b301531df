import { env } from '../kernel/env'
import { ForbiddenError } from '../kernel/errors'
import type { HeaderReader } from './client-address'

/**
 * Refuses a cookie-authenticated change that another site's page could have sent. Browsers always name the origin of
 * such a request; one that names none is refused too. Returns the host of the origin.
 */
export function requireSameOrigin(headers: HeaderReader): string {
  const origin = headers.get('origin')
  if (origin === null) {
    throw new ForbiddenError(
      'This request does not say which site it came from. Use an API key instead.',
    )
  }
  const host = URL.canParse(origin) ? new URL(origin).host : ''
  if (host !== '' && ownHosts(headers).includes(host)) return host
  throw new ForbiddenError(
    'This request came from another site. Reload the page, or use an API key.',
  )
}

/** Other sites' pages cannot set X-Forwarded-Host: a browser would ask first, and gets no permission. */
function ownHosts(headers: HeaderReader): (string | undefined)[] {
  const forwarded = headers.get('x-forwarded-host')?.split(',')[0]?.trim()
  return [headers.get('host') ?? undefined, forwarded, new URL(env().TOOLGATE_URL).host]
}

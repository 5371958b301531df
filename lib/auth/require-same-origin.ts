import { env } from '@/lib/kernel/env'
import { ForbiddenError } from '@/lib/kernel/errors'
import type { HeaderReader } from './client-address'

/**
 * Returns the host of a request's origin. Refuses a change with a session cookie that another site's page could have
 * sent. Browsers always name the origin of such a request, so one without an origin is refused, too.
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

/** Returns the hosts of this site. X-Forwarded-Host is believed behind proxies alone, which set it. */
function ownHosts(headers: HeaderReader): (string | undefined)[] {
  const { TOOLGATE_URL, TOOLGATE_TRUSTED_PROXIES } = env()
  const forwarded = headers.get('x-forwarded-host')?.split(',')[0]?.trim()
  return [
    headers.get('host') ?? undefined,
    TOOLGATE_TRUSTED_PROXIES > 0 ? forwarded : undefined,
    new URL(TOOLGATE_URL).host,
  ]
}

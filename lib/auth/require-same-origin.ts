import { env } from '../env'
import { ForbiddenError } from '../errors'

/**
 * Refuses a cookie-authenticated change that another site's page could have sent. Browsers always name the origin of
 * such a request; one that names none is refused too.
 */
export function requireSameOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (origin !== null && URL.canParse(origin)) {
    const { host } = new URL(origin)
    if (host === request.headers.get('host')) return
    if (host === new URL(env().TOOLGATE_URL).host) return
  }
  throw new ForbiddenError('This request came from another site. Use an API key instead.')
}

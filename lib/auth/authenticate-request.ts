import 'server-only'
import { verifyApiKey } from '../api-keys/verify-api-key'
import type { Ctx } from '../context'
import { ForbiddenError, UnauthenticatedError } from '../errors'
import { type ApiScope, scopesOf } from '../protocol/api-scope'
import type { Actor } from '../protocol/tool'
import { clientAddress } from './client-address'
import { loadSession } from './load-session'
import { cookieOf, readSessionCookie, sessionCookieName } from './session-cookie'

/** `by` matters for cross-site protection: browsers send cookies by themselves, keys never. */
export type RequestIdentity = { ctx: Ctx; by: 'cookie' | 'key' }

/**
 * Who sends this request: `Authorization: Bearer tg_…`, else the session cookie. `scope` null = no API key will do.
 * Throws UnauthenticatedError, or ForbiddenError when the key lacks the scope.
 */
export async function authenticateRequest(
  request: Request,
  scope: ApiScope | null,
): Promise<RequestIdentity> {
  const ipAddress = clientAddress(request.headers)
  const authorization = request.headers.get('authorization')
  if (authorization !== null) {
    const key = await verifyApiKey(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
    if (!key) {
      throw new UnauthenticatedError('The API key is not valid. Create a new one.')
    }
    if (scope === null) throw new ForbiddenError('This address cannot be used with an API key.')
    if (!key.scopes.has(scope)) throw lacks(scope, key.actor)
    return { ctx: { actor: key.actor, via: 'api', ipAddress }, by: 'key' }
  }
  const sessionId = await readSessionCookie(
    cookieOf(request.headers.get('cookie'), sessionCookieName()),
  )
  const session = sessionId ? await loadSession(sessionId) : null
  if (!session) throw new UnauthenticatedError()
  return { ctx: { actor: session.actor, via: 'console', ipAddress }, by: 'cookie' }
}

function lacks(scope: ApiScope, { role }: Actor): ForbiddenError {
  return new ForbiddenError(
    scopesOf(role).includes(scope)
      ? `The API key lacks the scope ${scope}.`
      : `The scope ${scope} is for admins, and the owner of this API key is a ${role}.`,
  )
}

import 'server-only'
import { type EndedKey, verifyApiKey } from '@/lib/domains/api-keys/verify-api-key'
import type { Ctx } from '@/lib/kernel/context'
import { ForbiddenError, UnauthenticatedError } from '@/lib/kernel/errors'
import { type ApiScope, limitedWords, scopesBeyondLimits, scopesOf } from '@/lib/protocol/api-scope'
import { clientAddress, type HeaderReader } from './client-address'
import { SecondFactorMissing } from './factors/second-factor'
import { loadSession, type SignedIn } from './load-session'
import { reportRefusedKey } from './report-refusal'
import { cookieOf, readSessionCookie, sessionCookieName } from './session-cookie'

/**
 * `by` matters for cross-site protection: browsers send cookies by themselves, keys never. `scopes` = what the key
 * allows.
 */
export type RequestIdentity = { ctx: Ctx } & (
  | { by: 'cookie'; session: SignedIn }
  | { by: 'key'; scopes: ReadonlySet<ApiScope>; isLimited: boolean }
)

/** Returns who sends this request: `Authorization: Bearer tg_…`, else the session cookie. Throws UnauthenticatedError. */
export async function authenticateRequest(request: Request): Promise<RequestIdentity> {
  const ipAddress = clientAddress(request.headers)
  const authorization = request.headers.get('authorization')
  if (authorization !== null) {
    let state: EndedKey['state'] | undefined
    const key = await verifyApiKey(bearerToken(authorization), new Date(), (ended) => {
      state = ended?.state
      reportRefusedKey(ended, { ipAddress })
    })
    if (!key) throw new UnauthenticatedError(refusalOf(state))
    const { actor, keyId: apiKeyId, limits: keyLimits, scopes, isLimited } = key
    const ctx: Ctx = { actor, via: 'api', ipAddress, apiKeyId, keyLimits }
    return { ctx, by: 'key', scopes, isLimited }
  }
  const cookie = cookieOf(request.headers.get('cookie'), sessionCookieName())
  const sessionId = await readSessionCookie(cookie)
  const session = sessionId ? await loadSession(sessionId) : null
  if (!session) throw new UnauthenticatedError()
  if (session.mustEnrol) throw new SecondFactorMissing()
  const ctx: Ctx = { actor: session.actor, via: 'console', ipAddress, sessionId: session.sessionId }
  return { ctx, by: 'cookie', session }
}

function refusalOf(state: EndedKey['state'] | undefined): string {
  if (state === 'suspended') return suspendedKey
  return state === 'paused' ? pausedKey : invalidKey
}

const invalidKey = 'The API key is not valid. Create one with `bin/toolgate api-key add`.'
const suspendedKey =
  'The account of this API key is suspended. The key works again when its owner has signed in through the identity provider, or an admin has enabled the account.'
const pausedKey =
  'This installation was restored from a backup, and the API key is off until an admin switches it on.'

/** Throws ForbiddenError when a key lacks the scope. `scope` null = no API key will do. */
export function requireScope(identity: RequestIdentity, scope: ApiScope | null): void {
  if (identity.by === 'cookie') return
  if (scope === null)
    throw new ForbiddenError(
      'API keys cannot be used for this request. Sign in on the console instead.',
    )
  if (identity.scopes.has(scope)) {
    if (identity.isLimited) refuseBeyondLimits(scope)
    return
  }
  const { role } = identity.ctx.actor
  throw new ForbiddenError(
    scopesOf(role).includes(scope)
      ? `The API key lacks the scope ${scope}.`
      : `The scope ${scope} is for admins, and the owner of this API key is a ${role}.`,
  )
}

/** Throws ForbiddenError for a scope that a limited key cannot use, whenever it was given. */
function refuseBeyondLimits(scope: ApiScope): void {
  if (scopesBeyondLimits([scope]).length === 0) return
  throw new ForbiddenError(
    `The API key is limited, so it cannot use its scope ${scope}. A limited key can ${limitedWords}. Use a key without limits and without a budget of its own for this.`,
  )
}

/** Returns whether a request carries a session cookie of ours or an API key that is valid, whatever it may be used for. */
export async function senderIsKnown(headers: HeaderReader): Promise<boolean> {
  const authorization = headers.get('authorization')
  if (authorization !== null) return (await verifyApiKey(bearerToken(authorization))) !== null
  const cookie = cookieOf(headers.get('cookie'), sessionCookieName())
  return (await readSessionCookie(cookie)) !== null
}

function bearerToken(authorization: string): string {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
}

import 'server-only'
import { authenticateRequest } from '@/lib/auth/authenticate-request'
import { addressBefore } from '@/lib/auth/safe-path'
import { siteOwner } from '@/lib/domains/servers/accounts'
import type { Ctx } from '@/lib/kernel/context'
import { AppError } from '@/lib/kernel/errors'
import { finishConnecting } from '@/lib/toolset/servers/accounts/connect'

const foreign = '/account?connect=foreign#accounts'

/**
 * Answers the browser that an issuer sends back: ends the sign-in of its session, and leads to the page that says how it went. A
 * link of somebody else does nothing.
 */
export async function answerCallback(request: Request): Promise<Response> {
  const ctx = await sessionOf(request)
  if (!ctx) return leadTo(addressBefore('/sign-in', foreign))
  try {
    const ended = await finishConnecting(new URL(request.url))(ctx, {})
    if (ended.type === 'foreign') return leadTo(foreign)
    const { serverId, owner } = ended
    const outcome = ended.type === 'connected' ? 'connected' : ended.code
    const page = owner === siteOwner ? `/servers/${serverId}` : '/account'
    return leadTo(`${page}?connect=${outcome}#accounts`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return leadTo('/account?connect=changed#accounts')
  }
}

/** Returns the session of a browser; null = there is none that counts. A key is no browser. */
async function sessionOf(request: Request): Promise<Ctx | null> {
  try {
    const identity = await authenticateRequest(request)
    return identity.by === 'cookie' ? identity.ctx : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function leadTo(location: string): Response {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return new Response(null, { status: 303, headers })
}

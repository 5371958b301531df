import { requireSameOrigin } from '@toolgate/server/auth/require-same-origin'
import { addressBefore } from '@toolgate/server/auth/safe-path'
import { readSessionCookie, sessionCookieName } from '@toolgate/server/auth/session-cookie'
import { refusedAction } from '@toolgate/server/doors/requests/refused-action'
import { closedPolicy } from '@toolgate/server/edge/closed-policy'
import { AppError } from '@toolgate/server/kernel/errors'
import { type NextRequest, NextResponse } from 'next/server'
import { pathHeader } from './lib/next/path-header'

const openPaths = new Set(['/sign-in', '/setup'])

/**
 * Sends strangers to the sign-in page, refuses what other sites' pages send, and gives every document its content
 * security policy. A courtesy, never the lock: pages, actions and routes each ask the database who is there.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname, search } = request.nextUrl
  const path = pathname + search
  const headers = new Headers(request.headers)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    try {
      // The framework compares the origin with this header alone, and ends in a stack trace where they differ.
      headers.set('x-forwarded-host', requireSameOrigin(request.headers))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await reportOtherSite(error, request)
      return closed(refusedAction(error))
    }
  }
  if (await mustSignIn(request)) {
    return closed(NextResponse.redirect(new URL(addressBefore('/sign-in', path), request.url)))
  }
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')
  const policy = contentSecurityPolicy(nonce)
  headers.set('x-nonce', nonce)
  headers.set(pathHeader, path)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** Gives an answer that is no page its policy. */
function closed(response: Response): Response {
  response.headers.set('content-security-policy', closedPolicy)
  return response
}

/** Reports a refusal with code that is loaded only then, so that the proxy stays small. */
async function reportOtherSite(error: AppError, { headers, nextUrl }: NextRequest): Promise<void> {
  const { reportForbidden } = await import('@toolgate/server/auth/report-refusal')
  const { clientAddress } = await import('@toolgate/server/auth/client-address')
  const ipAddress = clientAddress(headers)
  reportForbidden(error, null, { type: 'action', name: nextUrl.pathname }, { ipAddress })
}

async function mustSignIn(request: NextRequest): Promise<boolean> {
  const { pathname } = request.nextUrl
  if (openPaths.has(pathname) || pathname.startsWith('/invite/')) return false
  // A redirect would swallow the answer of an action; it says "sign in" itself, and the form keeps its text.
  if (request.method === 'POST' && request.headers.has('next-action')) return false
  return !(await readSessionCookie(request.cookies.get(sessionCookieName())?.value))
}

function contentSecurityPolicy(nonce: string): string {
  const dev = process.env.NODE_ENV === 'development'
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    ...(dev
      ? ["style-src 'self' 'unsafe-inline'"]
      : [`style-src 'self' 'nonce-${nonce}'`, "style-src-attr 'unsafe-inline'"]),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

// Plain on purpose: a matcher with `missing` headers can be walked around by sending them. APIs answer for themselves.
export const config = {
  matcher: ['/((?!api/|_next/static/|_next/image|icon\\.svg$).*)'],
}

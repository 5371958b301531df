import 'server-only'
import type { NextAuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { env } from '../env'
import { AppError } from '../errors'
import { log } from '../log'
import { clientAddress } from './client-address'
import { revokeSession } from './revoke-session'
import { safePath } from './safe-path'
import { hasSecureCookies, sessionLifetimeSeconds } from './session-cookie'
import { signIn } from './sign-in'

/** next-auth carries credentials in and a cookie out; whether the session behind it counts is `loadSession`'s to say. */
export function authOptions(): NextAuthOptions {
  // Without a fixed address next-auth must take it from the request: localhost and 127.0.0.1 both work then.
  process.env.AUTH_TRUST_HOST ??= 'true'
  return {
    secret: env().NEXTAUTH_SECRET,
    useSecureCookies: hasSecureCookies(),
    pages: { signIn: '/sign-in', error: '/sign-in' },
    session: { strategy: 'jwt', maxAge: sessionLifetimeSeconds },
    providers: [
      Credentials({
        credentials: {
          email: { label: 'E-mail' },
          password: { label: 'Password', type: 'password' },
        },
        authorize: (credentials, request) => authorize(credentials, request.headers ?? {}),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sid: user.sessionId } : { sid: token.sid }),
      // The browser needs nothing from next-auth's own session address.
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url, baseUrl }) => `${siteAddress(baseUrl)}${pathOn(url, baseUrl)}`,
    },
    events: {
      signOut: async ({ token }) => {
        if (token?.sid) await revokeSession(token.sid)
      },
    },
    logger: {
      error: (code) => log.error({ source: 'auth', code }, 'Sign-in machinery reported an error'),
      warn: (code) => log.debug({ source: 'auth', code }, 'Sign-in machinery reported a warning'),
      debug: () => {},
    },
  }
}

async function authorize(credentials: unknown, sent: Record<string, unknown>) {
  const headers = { get: (name: string) => (typeof sent[name] === 'string' ? sent[name] : null) }
  const origin = { ipAddress: clientAddress(headers), userAgent: headers.get('user-agent') }
  try {
    const { userId, sessionId } = await signIn(credentials, origin)
    return { id: userId, sessionId }
  } catch (error) {
    if (error instanceof AppError) throw error
    log.error({ source: 'auth', err: error }, 'Signing in failed')
    // next-auth shows this message to the person who signs in.
    throw new Error('Signing in is not possible right now. Try again in a minute.')
  }
}

// A proxy that ends https in front of us may not say so; the configured address does.
function siteAddress(baseUrl: string): string {
  return hasSecureCookies() ? new URL(env().TOOLGATE_URL).origin : baseUrl
}

function pathOn(url: string, baseUrl: string): string {
  if (url.startsWith('/')) return safePath(url)
  const sameSite = URL.canParse(url) && new URL(url).origin === new URL(baseUrl).origin
  return sameSite ? safePath(url.slice(new URL(url).origin.length)) : '/'
}

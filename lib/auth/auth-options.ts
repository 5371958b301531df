import 'server-only'
import type { NextAuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { z } from 'zod'
import { env } from '../env'
import { AppError, UnauthenticatedError } from '../errors'
import { log } from '../log'
import { passwordSignInIsOn } from '../users/require-password-sign-in'
import { clientAddress, countedAddress, type HeaderReader } from './client-address'
import { browserCookieName } from './known-browser'
import { oidcProvider, oidcProviderId } from './oidc-provider'
import { oidcSettings } from './oidc-settings'
import type { SignInOrigin } from './open-session'
import { reportFailedSignIn } from './report-refusal'
import { revokeSession } from './revoke-session'
import { safePath } from './safe-path'
import { cookieOf, hasSecureCookies, sessionLifetimeSeconds } from './session-cookie'
import { signIn } from './sign-in'
import { signInWithOidc } from './sign-in-with-oidc'

const ErrorDetail = z.object({ error: z.instanceof(Error) })

/**
 * next-auth carries credentials in and a cookie out; whether the session behind it counts is `loadSession`'s to say.
 * `rememberBrowser` is called with the e-mail address of whoever signed in with a password.
 */
export function authOptions(
  headers: HeaderReader,
  rememberBrowser?: (account: string) => void,
): NextAuthOptions {
  // Without a fixed address next-auth must take it from the request: localhost and 127.0.0.1 both work then.
  process.env.AUTH_TRUST_HOST ??= 'true'
  // The provider only sends people back to the registered address, and a proxy that ends https may not say so.
  if (oidcSettings() && hasSecureCookies()) {
    process.env.NEXTAUTH_URL ??= new URL(env().TOOLGATE_URL).origin
  }
  return {
    secret: env().NEXTAUTH_SECRET,
    useSecureCookies: hasSecureCookies(),
    pages: { signIn: '/sign-in', error: '/sign-in' },
    session: { strategy: 'jwt', maxAge: sessionLifetimeSeconds },
    providers: providers(headers),
    callbacks: {
      signIn: ({ user, account, profile }) =>
        account?.provider === oidcProviderId ? admit(user, profile, headers) : true,
      jwt: ({ token, user }) => (user ? { sid: user.sessionId } : { sid: token.sid }),
      // The browser needs nothing from next-auth's own session address.
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url, baseUrl }) => `${siteAddress(baseUrl)}${pathOn(url, baseUrl)}`,
    },
    events: {
      signIn: ({ user, account }) => {
        if (account?.provider === 'credentials' && user.email) rememberBrowser?.(user.email)
      },
      signOut: async ({ token }) => {
        if (token?.sid) await revokeSession(token.sid)
      },
    },
    logger: {
      error: (code, detail) =>
        log.error(
          { source: 'auth', code, err: causeOf(detail) },
          'Sign-in machinery reported an error',
        ),
      warn: (code) => log.debug({ source: 'auth', code }, 'Sign-in machinery reported a warning'),
      debug: () => {},
    },
  }
}

function providers(headers: HeaderReader): NextAuthOptions['providers'] {
  const settings = oidcSettings()
  const password = Credentials({
    credentials: {
      email: { label: 'E-mail' },
      password: { label: 'Password', type: 'password' },
    },
    authorize: (credentials) => authorize(credentials, headers),
  })
  return [
    ...(passwordSignInIsOn() ? [password] : []),
    ...(settings ? [oidcProvider(settings)] : []),
  ]
}

async function authorize(credentials: unknown, headers: HeaderReader) {
  try {
    const { userId, sessionId, email } = await signIn(credentials, originOf(headers))
    return { id: userId, sessionId, email }
  } catch (error) {
    if (error instanceof AppError) throw error
    log.error({ source: 'auth', err: error }, 'Signing in failed')
    // next-auth shows this message to the person who signs in.
    throw new Error('Signing in is not possible right now. Try again in a minute.')
  }
}

/** What went wrong, as far as the machinery says; its error holds neither tokens nor secrets. */
function causeOf(detail: unknown): string | undefined {
  if (detail instanceof Error) return detail.message
  const { error } = ErrorDetail.safeParse(detail).data ?? {}
  return error?.message
}

/** True, or where to go instead. `user` is the object next-auth makes the cookie from. */
async function admit(
  user: { email?: string | null },
  claims: unknown,
  headers: HeaderReader,
): Promise<true | string> {
  const settings = oidcSettings()
  if (!settings) return '/sign-in?error=failed'
  try {
    const answer = await signInWithOidc(claims, settings, originOf(headers))
    if (answer.type === 'refused') {
      const why = new UnauthenticatedError(`Refused after the identity provider: ${answer.reason}.`)
      reportFailedSignIn(why, user.email, originOf(headers))
      return `/sign-in?error=${answer.reason}`
    }
    Object.assign(user, { id: answer.userId, sessionId: answer.sessionId })
    return true
  } catch (error) {
    log.error({ source: 'auth', err: error }, 'Signing in through the identity provider failed')
    return '/sign-in?error=failed'
  }
}

function originOf(headers: HeaderReader): SignInOrigin {
  return {
    ipAddress: clientAddress(headers),
    userAgent: headers.get('user-agent'),
    countedAddress: countedAddress(headers),
    browserCookie: cookieOf(headers.get('cookie'), browserCookieName()),
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

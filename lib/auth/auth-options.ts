import 'server-only'
import type { NextAuthOptions } from 'next-auth'
import type { CredentialInput, CredentialsConfig } from 'next-auth/providers/credentials'
import { z } from 'zod'
import { passwordSignInIsOn } from '@/lib/domains/users/passwords'
import { env } from '@/lib/kernel/env'
import { AppError, UnauthenticatedError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { logCounted } from '@/lib/kernel/log-counted'
import { parseInput } from '@/lib/kernel/parse-input'
import { clientAddress, countedAddress, type HeaderReader } from './client-address'
import { PasskeyAnswer } from './factors/verify-passkey'
import { finishSignInWithCode, finishSignInWithPasskey, signInWithPasskey } from './finish-sign-in'
import { browserCookie, browserCookieName } from './known-browser'
import { oidcProvider, oidcProviderId, oidcSettings } from './oidc'
import { revokeSession, type SignInOrigin } from './open-session'
import { pendingCookie, pendingCookieName } from './pending-sign-in'
import { reportRefusedPerson } from './report-refusal'
import { safePath } from './safe-path'
import {
  cookieOf,
  hasSecureCookies,
  readSessionCookie,
  sessionCookieName,
  sessionCookieOptions,
  sessionLifetimeSeconds,
} from './session-cookie'
import { SecondFactorWanted, signIn } from './sign-in'
import { signInWithOidc } from './sign-in-with-oidc'

const ErrorDetail = z.object({ error: z.instanceof(Error) })

type KeepCookie = (setCookie: string) => void

/** The code in next-auth's answer when the password was right and a second factor is required. */
const secondFactorWanted = 'second-factor'

/**
 * Returns the options of next-auth, which only carries credentials in and a cookie out: `loadSession` decides whether a
 * session is valid. `keepCookie` is called with further `set-cookie` lines for the answer: that this account signed in
 * with this browser, or the token of a sign-in that waits for its second factor.
 */
export function authOptions(headers: HeaderReader, keepCookie: KeepCookie): NextAuthOptions {
  // Without a fixed address next-auth must take it from the request: localhost and 127.0.0.1 both work then.
  process.env.AUTH_TRUST_HOST ??= 'true'
  // The provider only sends people back to the registered address, and a proxy that ends https may not say so.
  if (oidcSettings() && hasSecureCookies()) {
    process.env.NEXTAUTH_URL ??= new URL(env().TOOLGATE_URL).origin
  }
  return {
    secret: env().NEXTAUTH_SECRET,
    useSecureCookies: hasSecureCookies(),
    cookies: { sessionToken: { name: sessionCookieName(), options: sessionCookieOptions() } },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    session: { strategy: 'jwt', maxAge: sessionLifetimeSeconds },
    providers: providers(headers, keepCookie),
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        const admitted =
          account?.provider === oidcProviderId ? await admit(user, profile, headers) : true
        if (admitted === true) await endReplacedSession(user, headers)
        return admitted
      },
      jwt: ({ token, user }) => (user ? { sid: user.sessionId } : { sid: token.sid }),
      // No page uses next-auth's own session address.
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url, baseUrl }) => `${siteAddress(baseUrl)}${pathOn(url, baseUrl)}`,
    },
    events: {
      signIn: ({ user, account }) => {
        if (account?.type === 'credentials' && user.email) keepCookie(browserCookie(user.email))
      },
      signOut: async ({ token }) => {
        if (token?.sid) await revokeSession(token.sid)
      },
    },
    logger: {
      // Strangers cause these, such as by a broken cookie or an address that is none.
      error: (code, detail) =>
        logCounted(
          'error',
          [code, causeOf(detail), clientAddress(headers)],
          { source: 'auth', code, err: causeOf(detail), ipAddress: clientAddress(headers) },
          'The sign-in library reported an error',
        ),
      warn: (code) => log.debug({ source: 'auth', code }, 'The sign-in library reported a warning'),
      debug: () => {},
    },
  }
}

function providers(headers: HeaderReader, keepCookie: KeepCookie): NextAuthOptions['providers'] {
  const settings = oidcSettings()
  return [
    ...(passwordSignInIsOn() ? localProviders(headers, keepCookie) : []),
    ...(settings ? [oidcProvider(settings)] : []),
  ]
}

/**
 * Returns the providers for a password, the second factor after it, and a passkey alone. The verbs parse their
 * credentials.
 */
function localProviders(headers: HeaderReader, keepCookie: KeepCookie) {
  const origin = originOf(headers)
  const pending = () => cookieOf(headers.get('cookie'), pendingCookieName())
  return [
    credentialsProvider({
      id: 'credentials',
      credentials: {
        email: { label: 'E-mail' },
        password: { label: 'Password', type: 'password' },
      },
      // The form has more fields, which are next-auth's.
      authorize: (given) =>
        authorize(
          () => signIn({ email: given?.email, password: given?.password }, origin),
          keepCookie,
        ),
    }),
    credentialsProvider({
      id: 'second-factor',
      credentials: { code: {}, passkey: {} },
      authorize: (given) =>
        authorize(() =>
          given?.passkey
            ? finishSignInWithPasskey(pending(), passkeyIn(given.passkey), origin)
            : finishSignInWithCode(pending(), given?.code, origin),
        ),
    }),
    credentialsProvider({
      id: 'passkey',
      credentials: { passkey: {} },
      authorize: (given) => authorize(() => signInWithPasskey(passkeyIn(given?.passkey), origin)),
    }),
  ]
}

/** Makes a provider as next-auth's own function does, which cannot be imported from an ES module. */
function credentialsProvider<C extends Record<string, CredentialInput>>(
  options: Pick<CredentialsConfig<C>, 'id' | 'credentials' | 'authorize'>,
): CredentialsConfig<C> {
  return { name: 'Credentials', type: 'credentials', ...options }
}

function passkeyIn(text: string | undefined): PasskeyAnswer {
  try {
    return parseInput(PasskeyAnswer, JSON.parse(text ?? ''))
  } catch {
    throw new UnauthenticatedError('The passkey was not accepted. Try again, or use another way.')
  }
}

async function authorize(
  open: () => Promise<{ userId: string; sessionId: string; email: string }>,
  keepCookie?: KeepCookie,
) {
  try {
    const { userId, sessionId, email } = await open()
    return { id: userId, sessionId, email }
  } catch (error) {
    if (error instanceof SecondFactorWanted) {
      keepCookie?.(pendingCookie(error.token))
      throw new Error(secondFactorWanted)
    }
    if (error instanceof AppError) throw error
    log.error({ source: 'auth', err: error }, 'Signing in failed')
    // next-auth shows this message to the person who signs in.
    throw new Error('Signing in is not possible right now. Try again in a minute.')
  }
}

/** Returns the cause of a failed sign-in from next-auth's error, which has neither tokens nor secrets. */
function causeOf(detail: unknown): string | undefined {
  if (detail instanceof Error) return detail.message
  const { error } = ErrorDetail.safeParse(detail).data ?? {}
  return error?.message
}

/** Returns true, or the address to go to instead. `user` is the object from which next-auth makes the cookie. */
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
      const isUnread = answer.reason.startsWith('groups-')
      const claim = isUnread ? ` (claim ${settings.groupsClaim})` : ''
      reportRefusedPerson(`${answer.reason}${claim}`, claims, originOf(headers))
      return `/sign-in?error=${answer.reason}`
    }
    Object.assign(user, { id: answer.userId, sessionId: answer.sessionId })
    return true
  } catch (error) {
    log.error({ source: 'auth', err: error }, 'Signing in through the identity provider failed')
    return '/sign-in?error=failed'
  }
}

/** Ends the earlier session of this browser. Its cookie is replaced, so nobody could end it from here later. */
async function endReplacedSession(user: object, headers: HeaderReader): Promise<void> {
  const cookie = cookieOf(headers.get('cookie'), sessionCookieName())
  const earlier = await readSessionCookie(cookie)
  const isSame = 'sessionId' in user && user.sessionId === earlier
  if (earlier !== null && !isSame) await revokeSession(earlier)
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

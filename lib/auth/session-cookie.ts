import { decode, encode } from 'next-auth/jwt'
import { z } from 'zod'
import { env } from '@/lib/kernel/env'

/** A sign-in ends this long after it began, whatever happens. */
export const sessionLifetimeSeconds = 12 * 3600

const Payload = z.object({ sid: z.uuid() })

/** Returns whether cookies go over https alone. */
export function hasSecureCookies(): boolean {
  return env().TOOLGATE_URL.startsWith('https://')
}

/** Returns the name of the cookie. Where the site is https, browsers take it from exactly this host. */
export function sessionCookieName(): string {
  return `${hostPrefix()}next-auth.session-token`
}

/** Returns the prefix of cookies for the whole site. Without https, browsers would refuse a cookie that has it. */
export function hostPrefix(): string {
  return hasSecureCookies() ? '__Host-' : ''
}

/** Returns what `hostPrefix` requires of a cookie. Scripts cannot read it. */
export function sessionCookieOptions() {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: hasSecureCookies() } as const
}

/** Returns what the cookie of a session has as its value. */
export function sessionCookieValue(sessionId: string, maxAgeSeconds: number): Promise<string> {
  const secret = env().NEXTAUTH_SECRET
  return encode({ token: { sid: sessionId }, secret, maxAge: maxAgeSeconds })
}

/** Returns one cookie of a request's `cookie` header. */
export function cookieOf(header: string | null, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Returns the session id in the encrypted cookie; null when it is missing, forged or expired. */
export async function readSessionCookie(value: string | undefined): Promise<string | null> {
  if (!value) return null
  try {
    const payload = Payload.safeParse(await decode({ token: value, secret: env().NEXTAUTH_SECRET }))
    return payload.success ? payload.data.sid : null
  } catch {
    return null
  }
}

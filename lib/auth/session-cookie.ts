import { decode } from 'next-auth/jwt'
import { z } from 'zod'
import { env } from '../kernel/env'

/** A sign-in ends this long after it began, whatever happens. */
export const sessionLifetimeSeconds = 12 * 3600

const Payload = z.object({ sid: z.uuid() })

/** Browsers keep a `__Secure-` cookie to https alone. */
export function hasSecureCookies(): boolean {
  return env().TOOLGATE_URL.startsWith('https://')
}

export function sessionCookieName(): string {
  return `${hasSecureCookies() ? '__Secure-' : ''}next-auth.session-token`
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

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { env } from '@/lib/kernel/env'
import { hasSecureCookies } from './session-cookie'

const rememberedSeconds = 180 * 86_400

export function browserCookieName(): string {
  return `${hasSecureCookies() ? '__Secure-' : ''}toolgate.browser`
}

/**
 * Returns the cookie that remembers that this account signed in with this browser. It opens nothing: failures of
 * others, at the same address too, do not slow down who has it.
 */
export function browserCookie(account: string, now = new Date()): string {
  const parts = `${randomUUID()}.${Math.floor(now.getTime() / 1000)}`
  const attributes = ['Path=/api/auth', 'HttpOnly', 'SameSite=Lax', `Max-Age=${rememberedSeconds}`]
  if (hasSecureCookies()) attributes.push('Secure')
  return [`${browserCookieName()}=${parts}.${macOf(account, parts)}`, ...attributes].join('; ')
}

/** Returns the id of the browser when its cookie is ours, not too old and for this account; null otherwise. */
export function knownBrowser(
  cookie: string | undefined,
  account: string,
  now = new Date(),
): string | null {
  const [, parts = '', id = '', issued = '', mac = ''] =
    /^(([\w-]{36})\.(\d{1,12}))\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (id === '') return null
  const matches = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(account, parts)))
  const isFresh = now.getTime() / 1000 < Number(issued) + rememberedSeconds
  return matches && isFresh ? id : null
}

function macOf(account: string, parts: string): string {
  const about = JSON.stringify(['known browser', account.trim().toLowerCase(), parts])
  return createHmac('sha256', env().NEXTAUTH_SECRET).update(about).digest('base64url')
}

import 'server-only'
import { clientAddress, type HeaderReader } from '@toolgate/server/auth/client-address'
import { loadSession, type SignedIn, touchSession } from '@toolgate/server/auth/load-session'
import { reportForbidden } from '@toolgate/server/auth/report-refusal'
import { addressBefore, safePath } from '@toolgate/server/auth/safe-path'
import {
  readSessionCookie,
  sessionCookieName,
  sessionCookieOptions,
  sessionCookieValue,
} from '@toolgate/server/auth/session-cookie'
import type { Ctx } from '@toolgate/server/kernel/context'
import { db } from '@toolgate/server/kernel/db'
import { ForbiddenError } from '@toolgate/server/kernel/errors'
import { cookies, headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { cache } from 'react'
import { pathHeader } from './path-header'

/** Returns the session that this browser's cookie names, whether it still counts or not. */
export async function cookieSessionId(): Promise<string | null> {
  return readSessionCookie((await cookies()).get(sessionCookieName())?.value)
}

/** Gives this browser the cookie of a session that got another id. Only in an action or a route. */
export async function keepSession(sessionId: string): Promise<void> {
  const row = await db().session.findUnique({ where: { id: sessionId } })
  if (!row) return
  const seconds = Math.max(0, Math.floor((row.expiresAt.getTime() - Date.now()) / 1000))
  const value = await sessionCookieValue(sessionId, seconds)
  const options = { ...sessionCookieOptions(), expires: row.expiresAt }
  ;(await cookies()).set(sessionCookieName(), value, options)
}

/** Returns the signed-in session, read from the database once per request. It may still need a second factor. */
export const currentSession = cache(async (): Promise<SignedIn | null> => {
  const sessionId = await cookieSessionId()
  const session = sessionId ? await loadSession(sessionId) : null
  if (session && isActivity(await headers())) await touchSession(session)
  return session
})

/**
 * Returns whether a person caused this request: an action, or a whole document. What pages fetch in the background
 * (refreshed lists, links loaded ahead, badges) keeps no session alive. `ActivityWatch` reports people who move between
 * pages.
 */
function isActivity(headers: HeaderReader): boolean {
  if ((headers.get('sec-purpose') ?? headers.get('purpose') ?? '').includes('prefetch'))
    return false
  return headers.get('next-action') !== null || /\btext\/html\b/.test(headers.get('accept') ?? '')
}

export async function ctxOf({ actor, sessionId }: SignedIn): Promise<Ctx> {
  return { actor, via: 'console', ipAddress: clientAddress(await headers()), sessionId }
}

/**
 * Returns the session of a page's reader. Redirects people without one to the sign-in page, and people who must set up
 * a second factor to the page for that; both come back here afterwards.
 */
export async function requireUser(): Promise<Ctx> {
  const session = await currentSession()
  if (session && !session.mustEnrol) return ctxOf(session)
  const path = safePath((await headers()).get(pathHeader))
  redirect(addressBefore(session ? '/second-factor' : '/sign-in', path))
}

/** Returns the session of an admin page's reader. Members get the "forbidden" page with status 403. */
export async function requireAdmin(): Promise<Ctx> {
  const ctx = await requireUser()
  if (ctx.actor.role === 'admin') return ctx
  await reportForbiddenPage()
  forbidden()
}

/** Audits a refusal once per request, because a page and its layout both check. */
const reportForbiddenPage = cache(async (): Promise<void> => {
  const session = await currentSession()
  const ctx = session && (await ctxOf(session))
  const name = (await headers()).get(pathHeader) ?? 'unknown'
  if (ctx) reportForbidden(new ForbiddenError(), ctx, { type: 'page', name }, ctx)
})

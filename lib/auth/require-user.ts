import 'server-only'
import { cookies, headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { cache } from 'react'
import type { Ctx } from '../context'
import { ForbiddenError } from '../errors'
import { clientAddress } from './client-address'
import { loadSession, type SignedIn } from './load-session'
import { pathHeader } from './path-header'
import { reportForbidden } from './report-refusal'
import { safePath } from './safe-path'
import { readSessionCookie, sessionCookieName } from './session-cookie'

/** Who is signed in, read from the database once per request. */
export const currentSession = cache(async (): Promise<SignedIn | null> => {
  const sessionId = await readSessionCookie((await cookies()).get(sessionCookieName())?.value)
  return sessionId ? loadSession(sessionId) : null
})

export async function optionalUser(): Promise<Ctx | null> {
  const session = await currentSession()
  if (!session) return null
  return { actor: session.actor, via: 'console', ipAddress: clientAddress(await headers()) }
}

/** For pages: sends whoever is not signed in to the sign-in page and back here afterwards. */
export async function requireUser(): Promise<Ctx> {
  const ctx = await optionalUser()
  if (ctx) return ctx
  const path = safePath((await headers()).get(pathHeader))
  redirect(path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`)
}

/** For admin pages: members get the "forbidden" page with status 403. */
export async function requireAdmin(): Promise<Ctx> {
  const ctx = await requireUser()
  if (ctx.actor.role === 'admin') return ctx
  await reportForbiddenPage()
  forbidden()
}

/** Once a request: a page and its layout both ask. */
const reportForbiddenPage = cache(async (): Promise<void> => {
  const ctx = await optionalUser()
  const name = (await headers()).get(pathHeader) ?? 'unknown'
  if (ctx) reportForbidden(new ForbiddenError(), ctx, { type: 'page', name }, ctx)
})

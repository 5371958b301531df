import { encode } from 'next-auth/jwt'
import type { Ctx } from '@/lib/kernel/context'
import { db } from './fixture-db'

/** Returns what the browser of a person sends, who last proved who they are this many minutes ago. `origin` null = from nowhere. */
export async function browserHeaders(
  { actor: { userId } }: Ctx,
  {
    minutes = 0,
    origin = 'http://localhost:3000',
  }: { minutes?: number; origin?: string | null } = {},
): Promise<Record<string, string>> {
  const authenticatedAt = new Date(Date.now() - minutes * 60_000)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { id } = await db().session.create({ data: { userId, expiresAt, authenticatedAt } })
  const value = await encode({ token: { sid: id }, secret: process.env.NEXTAUTH_SECRET ?? '' })
  const cookie = `next-auth.session-token=${value}`
  return { cookie, host: 'localhost:3000', ...(origin !== null && { origin }) }
}

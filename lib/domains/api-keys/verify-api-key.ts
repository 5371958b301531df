import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ApiKey, User } from '@/lib/generated/prisma/client'
import { db, unaudited } from '@/lib/kernel/db'
import { ApiScope, scopesBeyondLimits, scopesOf } from '@/lib/protocol/api-scope'
import { isUnlimited, KeyLimits, noLimits } from '@/lib/protocol/key-limits'
import type { Actor } from '@/lib/protocol/tool'

/** Returns the hash that is stored. A key is 32 random bytes, so one plain hash makes the stored value useless. */
export function hashApiKey(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

const touchEveryMs = 60_000

export type VerifiedKey = {
  keyId: string
  actor: Actor
  scopes: ReadonlySet<ApiScope>
  limits: KeyLimits
  /** True if it is limited to tools or configurations, or has a budget of its own that is switched on. */
  isLimited: boolean
}

/** A key that worked once. */
export type EndedKey = {
  keyId: string
  name: string
  prefix: string
  /** The e-mail address of its owner. */
  owner: string
  state: 'revoked' | 'expired' | 'paused' | 'suspended' | 'disabled'
}

/**
 * Returns the owner of a key and what the key allows now: never more than the owner's role (SPEC A7). Null when the key
 * is unknown, revoked, expired or off since a restore, or its owner is disabled or suspended; `onRefused` then gets the key, or null for an unknown one.
 */
export async function verifyApiKey(
  token: string,
  now = new Date(),
  onRefused: (key: EndedKey | null) => void = () => {},
): Promise<VerifiedKey | null> {
  const key = await findKey(token)
  if (!key) {
    onRefused(null)
    return null
  }
  const state = stateOf(key, now)
  if (state !== 'active') {
    onRefused(ended(key, state))
    return null
  }
  if (!key.lastUsedAt || now.getTime() - key.lastUsedAt.getTime() > touchEveryMs) {
    const client = unaudited(db(), 'when a key was last used, to the minute')
    await client.apiKey.updateMany({ where: { id: key.id }, data: { lastUsedAt: now } })
  }
  const { id, email, role } = key.user
  const ofRole = scopesOf(role)
  const stored = z.array(ApiScope).parse(key.scopes)
  const limits = limitsOf(key)
  // Skip reading budgets when a limited key could use all of these scopes anyway.
  const asksBudgets = isUnlimited(limits) && scopesBeyondLimits(stored).length > 0
  const budgeted = asksBudgets ? await keysWithBudget([key.id]) : null
  return {
    keyId: key.id,
    actor: { userId: id, email, role },
    scopes: new Set(stored.filter((scope) => ofRole.includes(scope))),
    limits,
    isLimited: !isUnlimited(limits) || budgeted?.has(key.id) === true,
  }
}

/** Returns which of these keys have a budget of their own that is switched on. */
export async function keysWithBudget(keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db().budget.findMany({
    where: { scope: 'key', scopeId: { in: [...keyIds] }, enabled: true },
    select: { scopeId: true },
  })
  return new Set(rows.flatMap(({ scopeId }) => scopeId ?? []))
}

/** Returns what the runs of a key may use. Throws for what cannot be read: then the key opens nothing. */
export function limitsOf({ limits }: Pick<ApiKey, 'limits'>): KeyLimits {
  return limits === null ? noLimits : KeyLimits.parse(limits)
}

type Found = ApiKey & { user: User }

async function findKey(token: string): Promise<Found | null> {
  if (!/^tg_[A-Za-z0-9_-]{43}$/.test(token)) return null
  return db().apiKey.findUnique({
    where: { tokenHash: hashApiKey(token) },
    include: { user: true },
  })
}

function stateOf(
  { revokedAt, expiresAt, pausedAt, user }: Found,
  now: Date,
): EndedKey['state'] | 'active' {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt <= now) return 'expired'
  if (pausedAt) return 'paused'
  if (user.suspendedFor !== null && !user.deletedAt) return 'suspended'
  return user.disabledAt || user.deletedAt ? 'disabled' : 'active'
}

function ended({ id, name, prefix, user }: Found, state: EndedKey['state']): EndedKey {
  return { keyId: id, name, prefix, owner: user.email, state }
}

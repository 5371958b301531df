import { z } from 'zod'
import { db } from '../db'
import { ApiScope, scopesOf } from '../protocol/api-scope'
import type { Actor } from '../protocol/tool'
import { hashApiKey } from './hash-api-key'

const touchEveryMs = 60_000

export type VerifiedKey = { keyId: string; actor: Actor; scopes: ReadonlySet<ApiScope> }

/**
 * Returns whose key this is and what it allows now: never more than its owner's role (SPEC A7). Null when it is unknown,
 * revoked or expired, or its owner is disabled.
 */
export async function verifyApiKey(token: string, now = new Date()): Promise<VerifiedKey | null> {
  if (!/^tg_[A-Za-z0-9_-]{43}$/.test(token)) return null
  const key = await db().apiKey.findFirst({
    where: {
      tokenHash: hashApiKey(token),
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
      user: { disabledAt: null, deletedAt: null },
    },
    include: { user: { select: { id: true, email: true, role: true } } },
  })
  if (!key) return null
  if (!key.lastUsedAt || now.getTime() - key.lastUsedAt.getTime() > touchEveryMs) {
    await db().apiKey.updateMany({ where: { id: key.id }, data: { lastUsedAt: now } })
  }
  const { id, email, role } = key.user
  const ofRole = scopesOf(role)
  return {
    keyId: key.id,
    actor: { userId: id, email, role },
    scopes: new Set(
      z
        .array(ApiScope)
        .parse(key.scopes)
        .filter((scope) => ofRole.includes(scope)),
    ),
  }
}

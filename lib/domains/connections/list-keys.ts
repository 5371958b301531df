import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { ConnectionKey } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { FailureCategory } from '@/lib/protocol/model/failure'
import { type KeyHealth, KeyListing, ownKeyLabel } from './key-schemas'
import { findConnection } from './reads'

const shown = { select: { lastFour: true, updatedAt: true } } as const

/** The connection's own key comes first. */
export const listKeys = verb({
  name: 'connection.list-keys',
  role: 'admin',
  scope: 'connections:read',
  summary: 'Lists the keys of a connection with their limits and health.',
  input: z.object({ id: z.string() }),
  output: z.array(KeyListing),
  transaction: false,
  run: async ({ ctx }, { id }) => readKeys((await findConnection(ctx, id)).id),
})

async function readKeys(id: string): Promise<KeyListing[]> {
  const row = await db().connection.findUnique({
    where: { id },
    select: {
      secret: shown,
      keys: { include: { secret: shown }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
    },
  })
  if (!row) throw new NotFoundError('The connection')
  const now = new Date()
  const own = row.keys.find(({ secretId }) => secretId === null)
  const others = row.keys.flatMap((key) =>
    key.secret ? [toListing({ ...key, secret: key.secret }, now)] : [],
  )
  if (!row.secret) return others
  const first = own ? toListing({ ...own, secret: row.secret }, now) : plainOwn(row.secret)
  return [first, ...others]
}

export type KeyUse = Pick<
  KeyListing,
  'label' | 'weight' | 'enabled' | 'requestsPerMinute' | 'tokensPerMinute'
>

/** Returns, by connection, how its keys are used: only connections with several keys or with limits. Admins only. */
export async function listKeyUses(ctx: Ctx): Promise<Map<string, KeyUse[]>> {
  requireRole(ctx, 'admin')
  const rows = await db().connectionKey.findMany({ orderBy: { label: 'asc' } })
  const uses = new Map<string, KeyUse[]>()
  for (const { connectionId, label, weight, enabled, requestsPerMinute, tokensPerMinute } of rows) {
    const known = uses.get(connectionId) ?? []
    uses.set(connectionId, known)
    known.push({ label, weight, enabled, requestsPerMinute, tokensPerMinute })
  }
  return uses
}

type Shown = { lastFour: string; updatedAt: Date }

function toListing(key: ConnectionKey & { secret: Shown }, now: Date): KeyListing {
  const { id, label, weight, enabled, requestsPerMinute, tokensPerMinute, secret } = key
  const facts = { label, weight, enabled, requestsPerMinute, tokensPerMinute }
  return {
    id,
    isOwn: key.secretId === null,
    ...facts,
    lastFour: secret.lastFour,
    health: healthOf(key, now),
    updatedAt: secret.updatedAt.toISOString(),
  }
}

function plainOwn({ lastFour, updatedAt }: Shown): KeyListing {
  return {
    id: null,
    isOwn: true,
    label: ownKeyLabel,
    lastFour,
    weight: 1,
    enabled: true,
    requestsPerMinute: null,
    tokensPerMinute: null,
    health: { type: 'ready' },
    updatedAt: updatedAt.toISOString(),
  }
}

const minuteMs = 60_000

/** Returns the state that the next request would find. Tokens are judged by what was counted so far. */
function healthOf(key: ConnectionKey, now: Date): KeyHealth {
  if (!key.enabled) return { type: 'off' }
  const { cooledUntil, lastAdvice: advice } = key
  if (cooledUntil && cooledUntil > now) {
    const category = FailureCategory.safeParse(key.lastCategory).data ?? null
    return { type: 'paused', until: cooledUntil.toISOString(), category, advice }
  }
  const ends = [
    windowEnd(key),
    leftEnd(key.leftRequests, key.leftRequestsUntil),
    leftEnd(key.leftTokens, key.leftTokensUntil),
  ]
  const until = Math.max(...ends.map((end) => end?.getTime() ?? 0))
  return until > now.getTime()
    ? { type: 'limited', until: new Date(until).toISOString() }
    : { type: 'ready' }
}

function windowEnd(key: ConnectionKey): Date | null {
  const { windowStart, requests, requestsPerMinute, tokens, tokensPerMinute } = key
  const isUsedUp =
    (requestsPerMinute !== null && requests >= requestsPerMinute) ||
    (tokensPerMinute !== null && tokens >= tokensPerMinute)
  return windowStart && isUsedUp ? new Date(windowStart.getTime() + minuteMs) : null
}

function leftEnd(left: number | null, until: Date | null): Date | null {
  return left !== null && left <= 0 ? until : null
}

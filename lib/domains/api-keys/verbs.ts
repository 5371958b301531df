import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError, ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { changed, verb } from '../../kernel/verb'
import { ApiScope, scopesOf } from '../../protocol/api-scope'
import { type KeyLimits, noLimits, type ShownLimits } from '../../protocol/key-limits'
import type { Role } from '../../protocol/tool'
import { type ApiKeyListing, CreateApiKey } from './schemas'
import { hashApiKey, limitsOf } from './verify-api-key'

const dayMs = 86_400_000

/**
 * Creates a key. `token` is shown only this once. Throws ValidationError for scopes that the owner's role does not
 * have, NotFoundError when the owner is not an active user.
 */
export const createApiKey = verb({
  name: 'api-key.create',
  role: 'member',
  scope: null,
  summary: 'Creates an API key for oneself, or as an admin for any active user.',
  input: CreateApiKey,
  output: z.object({
    id: z.string(),
    token: z.string(),
    prefix: z.string(),
    expiresAt: z.string().nullable(),
  }),
  needsProof: () => true,
  run: async ({ tx, ctx, actor }, { name, scopes, expiresInDays, userId }) => {
    const owner = userId ?? actor.userId
    if (owner !== actor.userId) requireRole(ctx, 'admin')
    const token = `tg_${randomBytes(32).toString('base64url')}`
    const prefix = token.slice(0, 9)
    const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * dayMs)
    // A shared lock. A transaction that disables or demotes this account waits for it, and then limits this key, too.
    const [user] = await tx.$queryRaw<{ email: string; role: Role }[]>`
      SELECT email, role FROM users
      WHERE id = ${owner}::uuid AND "disabledAt" IS NULL AND "deletedAt" IS NULL FOR SHARE`
    if (!user) throw new NotFoundError('The user')
    requireScopesOf(user, scopes)
    const { id } = await tx.apiKey.create({
      data: { userId: owner, name, scopes, prefix, expiresAt, tokenHash: hashApiKey(token) },
    })
    const after = { name, scopes, prefix, expiresAt, owner: user.email }
    const made = { id, token, prefix, expiresAt: expiresAt?.toISOString() ?? null }
    return changed(made, { subject: id, after })
  },
})

function requireScopesOf({ email, role }: { email: string; role: Role }, scopes: ApiScope[]): void {
  const beyond = scopes.filter((scope) => !scopesOf(role).includes(scope))
  if (beyond.length === 0) return
  const names = beyond.join(', ')
  throw new ValidationError({
    scopes: `Only API keys of admins can have the scopes ${names}, and ${email} is a ${role}. Pick other scopes.`,
  })
}

/** Returns the id of the key with this id or public beginning. Throws NotFoundError. Admins only. */
export async function findApiKey(ctx: Ctx, idOrPrefix: string): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrPrefix)
  const rows = await db().apiKey.findMany({
    where: id.success ? { id: id.data } : { prefix: idOrPrefix.trim() },
    select: { id: true },
    take: 2,
  })
  const [row] = rows
  if (row && rows.length === 1) return row
  throw new NotFoundError(`The API key ${idOrPrefix.slice(0, 9)}`)
}

/**
 * Returns keys, newest first: of one account, or for an admin all of them. A member only gets their own, whatever
 * `userId` says. Tokens and their hashes are never among what is returned.
 */
export async function listApiKeys(ctx: Ctx, userId?: string): Promise<ApiKeyListing[]> {
  const owner = ctx.actor.role === 'admin' ? userId : ctx.actor.userId
  const rows = await db().apiKey.findMany({
    where: owner === undefined ? {} : { userId: parseId(owner, 'The user') },
    include: {
      user: { select: { email: true } },
      _count: { select: { runs: { where: { NOT: { status: 'ended' } } } } },
    },
    omit: { tokenHash: true },
    orderBy: { createdAt: 'desc' },
  })
  const limits = rows.map(limitsOf)
  const ids = limits.flatMap(({ configurations }) => configurations ?? [])
  const known = await db().configuration.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
  })
  return rows.map((row, place) => ({
    id: row.id,
    userId: row.userId,
    userEmail: row.user.email,
    name: row.name,
    prefix: row.prefix,
    scopes: z.array(ApiScope).parse(row.scopes),
    limits: shownLimits(limits[place] ?? noLimits, known),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    runsUnderWay: row._count.runs,
  }))
}

function shownLimits(
  { configurations: ids, ...tools }: KeyLimits,
  known: readonly { id: string; name: string }[],
): ShownLimits {
  return { ...tools, configurations: ids && known.filter(({ id }) => ids.includes(id)) }
}

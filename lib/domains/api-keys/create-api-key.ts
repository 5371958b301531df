import { randomBytes } from 'node:crypto'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError, ValidationError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { type ApiScope, scopesOf } from '../../protocol/api-scope'
import type { Role } from '../../protocol/tool'
import { recordAudit } from '../audit/record-audit'
import { hashApiKey } from './hash-api-key'
import { CreateApiKey } from './schemas'

const dayMs = 86_400_000

/**
 * Makes an API key for oneself, or as an admin for any active user. `token` is shown this once and cannot be read
 * again. ValidationError for scopes that the owner's role does not have.
 */
export async function createApiKey(
  ctx: Ctx,
  input: CreateApiKey,
): Promise<{ id: string; token: string; prefix: string; expiresAt: string | null }> {
  requireRole(ctx, 'member')
  const { name, scopes, expiresInDays, userId } = parseInput(CreateApiKey, input)
  const owner = userId ?? ctx.actor.userId
  if (owner !== ctx.actor.userId) requireRole(ctx, 'admin')
  const token = `tg_${randomBytes(32).toString('base64url')}`
  const prefix = token.slice(0, 9)
  const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * dayMs)
  return withTransaction(async (tx) => {
    // Shared lock: whoever disables or demotes this account meanwhile waits, and then limits this key too.
    const [user] = await tx.$queryRaw<{ email: string; role: Role }[]>`
      SELECT email, role FROM users
      WHERE id = ${owner}::uuid AND "disabledAt" IS NULL AND "deletedAt" IS NULL FOR SHARE`
    if (!user) throw new NotFoundError('The user')
    requireScopesOf(user, scopes)
    const key = await tx.apiKey.create({
      data: { userId: owner, name, scopes, prefix, expiresAt, tokenHash: hashApiKey(token) },
    })
    await recordAudit(tx, ctx, {
      action: 'api-key.create',
      objectType: 'api-key',
      objectId: key.id,
      after: { name, scopes, prefix, expiresAt, owner: user.email },
    })
    return { id: key.id, token, prefix, expiresAt: expiresAt?.toISOString() ?? null }
  })
}

function requireScopesOf({ email, role }: { email: string; role: Role }, scopes: ApiScope[]): void {
  const beyond = scopes.filter((scope) => !scopesOf(role).includes(scope))
  if (beyond.length === 0) return
  const names = beyond.join(', ')
  throw new ValidationError({
    scopes: `Only API keys of admins can have the scopes ${names}, and ${email} is a ${role}. Pick other scopes.`,
  })
}

import { listApiKeys } from '@/lib/domains/api-keys/verbs'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { shellWord } from '../fix-command'
import { type Finding, ok, warn } from './finding'

/**
 * Checks API keys: scopes that they hold and cannot use, and programs that a key may have accepted before that was left to
 * persons.
 */
export async function checkApiKeys(): Promise<Finding[]> {
  const keys = await listApiKeys(systemCtx())
  const active = keys.filter(
    ({ revokedAt, expiresAt }) =>
      revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now()),
  )
  const unusable = active.flatMap(({ name, prefix, unusableScopes }) =>
    unusableScopes.length === 0
      ? []
      : warn(
          `API key ${name}`,
          `${prefix}… cannot use ${unusableScopes.join(', ')}, because it is limited or has a budget`,
          'Make a key without limits for what needs them, or leave it as it is.',
        ),
  )
  const findings = [...unusable, ...(await checkAccepted())]
  if (active.length === 0 || findings.length > 0) return findings
  return [ok('API keys', `${active.length} active, and each can use its scopes`)]
}

type Accepted = { name: string; at: Date; actorLabel: string; prefix: string }

/**
 * Finds the programs whose permission to run without a sandbox may be a key's: its author had a key for programs then, and used
 * it since. The audit says of terminals alone which door a change came through.
 */
async function checkAccepted(): Promise<Finding[]> {
  const rows = await db().$queryRaw<Accepted[]>`
    SELECT DISTINCT ON (p.id) p.name, a.at, a."actorLabel", k.prefix
    FROM programs p
    CROSS JOIN LATERAL (
      SELECT e.at, e."actorId", e."actorLabel" FROM audit_entries e
      WHERE e."objectId" = p.id::text AND e.action IN ('program.create', 'program.update')
        AND e.after->>'accepted' IS NOT NULL
      ORDER BY e.id DESC LIMIT 1) a
    -- The use of a key is noted once a minute.
    JOIN api_keys k ON k."userId" = a."actorId" AND 'programs:write' = ANY (k.scopes)
      AND k."createdAt" <= a.at AND k."lastUsedAt" >= a.at - interval '1 minute'
      AND coalesce(k."revokedAt", a.at) >= a.at AND coalesce(k."expiresAt", a.at) >= a.at
    WHERE p.accepted IS NOT NULL AND a."actorLabel" NOT LIKE '%(in a terminal as %'
    ORDER BY p.id, k."createdAt"`
  return rows.map(({ name, at, actorLabel, prefix }) =>
    warn(
      `Program ${name}`,
      `may run without a sandbox since ${at.toISOString()}, perhaps by the API key ${prefix}… of ${actorLabel}`,
      `Forbid it: toolgate program edit ${shellWord(name)} --no-accepted. Or let an admin without such a key say on the console, in new words, why it may.`,
    ),
  )
}

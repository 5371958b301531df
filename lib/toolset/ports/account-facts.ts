import 'server-only'
import { signInWayOf } from '@/lib/domains/users/user-rows'
import type { AccountLine } from '@/lib/engines/tools/installation-resources'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { ToolLimits } from '@/lib/protocol/key-limits'

const whole = (now: Date) =>
  ({
    memberships: {
      select: { group: { select: { name: true, limits: true } } },
      orderBy: { group: { name: 'asc' } },
    },
    _count: {
      select: {
        passkeys: true,
        totpApps: { where: { confirmedAt: { not: null } } },
        recoveryCodes: { where: { usedAt: null } },
        sessions: { where: { revokedAt: null, expiresAt: { gt: now } } },
        apiKeys: {
          where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        },
      },
    },
  }) as const satisfies Prisma.UserInclude

type Row = Prisma.UserGetPayload<{ include: ReturnType<typeof whole> }>

/** Returns the accounts that are not deleted with how their people sign in. Nothing of a credential is in it. */
export async function accountFacts(
  tx: Tx,
  limit: number,
): Promise<{ total: number; users: AccountLine[] }> {
  const where = { deletedAt: null }
  const [total, rows] = await Promise.all([
    tx.user.count({ where }),
    tx.user.findMany({
      where,
      orderBy: { email: 'asc' },
      take: limit,
      include: whole(new Date()),
    }),
  ])
  return { total, users: rows.map(toLine) }
}

function toLine(row: Row): AccountLine {
  const { passkeys, totpApps, recoveryCodes, sessions, apiKeys } = row._count
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    disabled: row.disabledAt !== null,
    suspendedFor: row.suspendedFor,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
    signIn: {
      way: signInWayOf(row),
      secondFactors: [
        ...(passkeys > 0 ? ['passkey'] : []),
        ...(totpApps > 0 ? ['authenticator app'] : []),
      ],
      recoveryCodesLeft: recoveryCodes,
      openSessions: sessions,
      apiKeys,
    },
    groups: row.memberships.map(({ group: { name, limits } }) => ({
      name,
      limits: limits === null ? { tools: null, toolGroups: null } : ToolLimits.parse(limits),
    })),
  }
}

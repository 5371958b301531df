import type { AuditedChange } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import { allowNonPolicyWrite, type ChangeTx, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { scopesOf } from '@/lib/protocol/api-scope'
import type { Role } from '@/lib/protocol/tool'

/** The numbers of what was ended, for the audit. */
type EndedAccess = { sessionsEnded: number; runsStopped: number }
type RevokedAccess = EndedAccess & { keysRevoked: number; accountsDisconnected: number }

/**
 * Ends the sessions, API keys, one-time links and active runs of an account; none of them works again, whatever becomes
 * of the account (SPEC A7). Call it after the account's row was written, so that it also finds those that another request
 * opens at the same time.
 */
export async function revokeAccess(tx: PolicyTx, userId: string): Promise<RevokedAccess> {
  const ended = await endAccess(tx, userId)
  const keysRevoked = await revokeApiKeys(tx, userId)
  await revokeAccountLinks(tx, userId)
  const accountsDisconnected = await disconnectAccounts(tx, userId)
  return { ...ended, keysRevoked, accountsDisconnected }
}

async function endAccess(tx: PolicyTx, userId: string): Promise<EndedAccess> {
  await tx.user.update({ where: { id: userId }, data: { accessEpoch: { increment: 1 } } })
  const runsStopped = await countActiveRuns(tx, userId)
  return { sessionsEnded: await endSessions(tx, userId), runsStopped }
}

/**
 * Suspends an account that is not disabled: it is disabled, its sessions and active runs end, but its API keys and schedules only wait
 * until it is enabled. `why`: a sentence for admins. The caller has `lockAdmins` and asks about the last admin.
 */
export async function suspend(tx: PolicyTx, userId: string, why: string): Promise<EndedAccess> {
  const data = { disabledAt: new Date(), suspendedFor: why }
  await tx.user.update({ where: { id: userId, disabledAt: null }, data })
  return endAccess(tx, userId)
}

/** Deletes what this person's runs sign in with at MCP servers. Returns how many accounts there were. */
async function disconnectAccounts(tx: PolicyTx, userId: string): Promise<number> {
  const accounts = await tx.connectedAccount.count({ where: { userId } })
  // The accounts go with their secrets.
  await tx.vaultSecret.deleteMany({ where: { connectedAccount: { userId } } })
  await tx.vaultSecret.deleteMany({ where: { accountRequest: { userId } } })
  return accounts
}

/** Returns how many runs of an account are under way or wait. */
export function countActiveRuns(tx: Tx, userId: string): Promise<number> {
  return tx.run.count({ where: { userId, status: { in: ['queued', 'running', 'waiting'] } } })
}

/**
 * Ends the sessions of an account, all but `exceptId`, and sign-ins that wait for a second factor. They stop counting
 * at their next request. Returns how many sessions there were.
 */
export async function endSessions(
  tx: ChangeTx,
  userId: string,
  exceptId?: string,
): Promise<number> {
  const others = exceptId === undefined ? {} : { id: { not: exceptId } }
  const { count } = await tx.session.updateMany({
    where: { userId, revokedAt: null, expiresAt: { gt: new Date() }, ...others },
    data: { revokedAt: new Date() },
  })
  await tx.pendingSignIn.deleteMany({ where: { userId } })
  return count
}

/** Revokes every API key of an account, whatever becomes of the account. Returns how many there were. */
export async function revokeApiKeys(tx: ChangeTx, userId: string): Promise<number> {
  const { count } = await allowNonPolicyWrite(tx, 'which keys open doors').apiKey.updateMany({
    where: { userId, revokedAt: null },
    data: { revokedAt: new Date() },
  })
  return count
}

/** Revokes every open one-time link of an account. Returns how many there were. */
export async function revokeAccountLinks(tx: ChangeTx, userId: string): Promise<number> {
  const { count } = await tx.accountLink.updateMany({
    where: { userId, usedAt: null, revokedAt: null },
    data: { revokedAt: new Date() },
  })
  return count
}

type KeyChange = AuditedChange<KeyAction> & { action: KeyAction }
type KeyAction = 'api-key.revoke' | 'api-key.remove-scopes'

/**
 * Removes the scopes that the old or the new role does not have from the API keys of an account, for good: neither a
 * demotion and a later promotion, nor a promotion alone brings any back. A key with none left is revoked. Call it after
 * the account's row was written, so that keys made at the same time are seen.
 */
export async function limitApiKeys(
  tx: ChangeTx,
  userId: string,
  roles: { before: Role; after: Role },
): Promise<KeyChange[]> {
  const changes: KeyChange[] = []
  const allowed = scopesOf(Object.values(roles).includes('member') ? 'member' : 'admin')
  const keys = await tx.apiKey.findMany({ where: { userId, revokedAt: null } })
  for (const { id, name, prefix, scopes } of keys) {
    const left = scopes.filter((scope) => allowed.some((each) => each === scope))
    if (left.length === scopes.length) continue
    const revokedAt = left.length === 0 ? new Date() : null
    const { count } = await allowNonPolicyWrite(tx, 'what keys may ask of doors').apiKey.updateMany(
      {
        where: { id, revokedAt: null },
        data: { scopes: left, revokedAt },
      },
    )
    if (count === 0) continue
    changes.push({
      action: revokedAt ? 'api-key.revoke' : 'api-key.remove-scopes',
      subject: id,
      before: { name, prefix, scopes },
      after: { name, prefix, scopes: left, ...(revokedAt && { revokedAt }) },
      reason: `The role of its owner changed from ${roles.before} to ${roles.after}.`,
    })
  }
  return changes
}

/** Deletes authenticator apps with their secrets. Returns how many there were. */
export async function removeTotpApps(
  tx: ChangeTx,
  where: Prisma.TotpAppWhereInput,
): Promise<number> {
  const apps = await tx.totpApp.findMany({ where, select: { id: true } })
  const ids = { id: { in: apps.map(({ id }) => id) } }
  await tx.totpApp.deleteMany({ where: ids })
  await tx.vaultSecret.deleteMany({ where: { ...ids, purpose: 'totp' } })
  return apps.length
}

/** Deletes every second factor of an account and its recovery codes. Returns how many there were, for the audit. */
export async function removeSecondFactors(
  tx: ChangeTx,
  userId: string,
): Promise<{ passkeysRemoved: number; appsRemoved: number }> {
  const { count } = await tx.passkey.deleteMany({ where: { userId } })
  const appsRemoved = await removeTotpApps(tx, { userId })
  await tx.recoveryCode.deleteMany({ where: { userId } })
  return { passkeysRemoved: count, appsRemoved }
}

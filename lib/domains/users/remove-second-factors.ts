import type { Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'

/** Forgets authenticator apps with their secrets. Says how many there were. */
export async function removeTotpApps(tx: Tx, where: Prisma.TotpAppWhereInput): Promise<number> {
  const apps = await tx.totpApp.findMany({ where, select: { id: true } })
  const ids = { id: { in: apps.map(({ id }) => id) } }
  await tx.totpApp.deleteMany({ where: ids })
  await tx.vaultSecret.deleteMany({ where: { ...ids, purpose: 'totp' } })
  return apps.length
}

/** Forgets every second factor of an account and its recovery codes; the numbers are for the audit. */
export async function removeSecondFactors(
  tx: Tx,
  userId: string,
): Promise<{ passkeysRemoved: number; appsRemoved: number }> {
  const { count } = await tx.passkey.deleteMany({ where: { userId } })
  const appsRemoved = await removeTotpApps(tx, { userId })
  await tx.recoveryCode.deleteMany({ where: { userId } })
  return { passkeysRemoved: count, appsRemoved }
}

import { auditLabel, type Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { env } from '../../kernel/env'
import { newAccountToken } from './account-token'
import { revokeAccountLinks } from './revoke-account-links'
import type { OneTimeLink } from './schemas'

const lifetimeMs = 7 * 86_400_000

/** A link with which a person sets a password, once, within 7 days; earlier links of theirs stop working. */
export async function createAccountLink(
  tx: Tx,
  ctx: Ctx,
  { userId, purpose }: { userId: string; purpose: 'invite' | 'reset' },
  now = new Date(),
): Promise<OneTimeLink> {
  await revokeAccountLinks(tx, userId)
  const { token, tokenHash } = newAccountToken()
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  const createdByLabel = auditLabel(ctx)
  await tx.accountLink.create({ data: { userId, purpose, tokenHash, createdByLabel, expiresAt } })
  const address = new URL(`/invite/${token}`, env().TOOLGATE_URL).href
  return { purpose, token, address, expiresAt: expiresAt.toISOString() }
}

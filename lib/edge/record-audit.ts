import { Prisma } from '@/lib/generated/prisma/client'
import { auditLabel, authorId, type Ctx } from '@/lib/kernel/context'
import type { ChangeTx } from '@/lib/kernel/db'
import { withoutSecrets } from '@/lib/kernel/redaction/without-secrets'

/** Audited actions that are not verbs, each with a description. `docs/audit.md` lists them with the verbs. */
export const otherActions = {
  'api-key.remove-scopes': 'Took scopes from an API key, because the role of its owner changed.',
  'api-key.revoke':
    'Revoked an API key without any scope left, because the role of its owner changed.',
  'approval.expire': 'Expired a waiting call that nobody decided in time.',
  'asset.describe': 'Set the alternative text of an asset, through a run of theirs.',
  'asset.replace': 'Replaced the file of an asset.',
  'asset.upload': 'Uploaded a file as an asset of a storage.',
  'backup.fail-delete': 'Could not delete a backup, which is still there.',
  'budget.repair': 'Set the counters of a budget to the sums of its ledger.',
  'channel.seal-address':
    'Moved the address of a webhook to the vault, at a start after an update.',
  'file.upload': 'Uploaded a file for a run.',
  'second-factor.add': 'Added a passkey to one’s own account.',
  'second-factor.use-recovery-code': 'Signed in with a recovery code.',
  'session.close': 'Signed out.',
  'session.confirm': 'Confirmed who they are, for a sensitive action.',
  'session.open': 'Signed in.',
  'sign-in.alert':
    'Told the channels for alerts that sign-ins were refused, because nobody can know the groups of people.',
  'site.apply': 'Began to apply a site file.',
  'site.back-up': 'Wrote a backup of the installation.',
  'site.fail-back-up': 'Could not write a backup of the installation.',
  'site.miss-back-up':
    'Told the channels for alerts that the last backup is too old for the schedule.',
  'site.export': 'Exported the site as a file.',
  'site.restore':
    'Restored the installation from a backup: it is frozen, and what this lists was switched off.',
  'user.accept-invitation': 'Set the first password with a one-time link.',
  'user.accept-reset': 'Set a new password with a one-time link.',
  'user.change-own-sign-in': 'Changed one’s own password.',
  'user.create-first-admin': 'Created the first admin at the set-up.',
  'user.create-from-provider': 'Signed in through the identity provider for the first time.',
  'user.follow-provider-email': 'Got another e-mail address, as the identity provider says.',
  'user.follow-provider-groups': 'Joined or left groups, as the identity provider says.',
  'user.follow-provider-role': 'Changed role, as the identity provider says.',
  'user.lift-suspension': 'Enabled a suspended account, because the groups of its person came.',
  'user.link-to-provider': 'Linked an account to the identity provider, which has its address.',
  'user.refuse-without-group':
    'Disabled an account that has no group with a role at the identity provider.',
  'user.suspend': 'Suspended an account, because the identity provider sent no list of its groups.',
  'vault.begin-rotation': 'Began to rotate the vault key.',
  'vault.finish-rotation': 'Finished the rotation of the vault key.',
} as const
export type OtherAction = keyof typeof otherActions

/** Audited refusals of requests, each with a description. */
export const refusalActions = {
  'access.refuse': 'Refused a page, an action, a request or a link that the person may not use.',
  'api-key.refuse':
    'Refused an API key that is revoked, expired or unknown, or whose account is disabled.',
  'password.fail': 'Gave a wrong password, code or passkey while signed in.',
  'sign-in.fail': 'Failed to sign in.',
  'sign-in.slow-down': 'Has to wait after too many failed tries.',
} as const

export type AuditRecord = {
  action: string
  objectType: string
  objectId: string | null
  before?: unknown
  after?: unknown
  reason?: string
}

/** Writes who changed what, in the transaction that changes it; secrets are left out (SPEC A2). */
export async function recordAudit(tx: ChangeTx, ctx: Ctx, record: AuditRecord): Promise<void> {
  const { before, after, ...columns } = auditColumns(ctx, record)
  await tx.auditEntry.create({
    data: { ...columns, before: toJson(before), after: toJson(after) },
  })
}

/** Returns the columns of an audit row, for a statement that writes it beside its change; secrets are left out. */
export function auditColumns(ctx: Ctx, record: AuditRecord) {
  const { action, objectType, objectId, before, after, reason = '' } = record
  return {
    actorId: authorId(ctx),
    actorLabel: auditLabel(ctx),
    ipAddress: ctx.ipAddress,
    action,
    objectType,
    objectId,
    reason,
    before: withoutSecrets(before),
    after: withoutSecrets(after),
  }
}

function toJson(clean: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return clean === null ? Prisma.DbNull : (clean as Prisma.InputJsonValue)
}

import { Prisma } from '../../generated/prisma/client'
import { auditLabel, authorId, type Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { withoutSecrets } from './without-secrets'

export type AuditRecord = {
  /** Noun and verb: `tool.switch-off`, `connection.create`. */
  action: string
  objectType: string
  objectId: string | null
  before?: unknown
  after?: unknown
  reason?: string
}

/** Writes who changed what, in the transaction that changes it; secrets are left out (SPEC A2). */
export async function recordAudit(tx: Tx, ctx: Ctx, record: AuditRecord): Promise<void> {
  await tx.auditEntry.create({
    data: {
      actorId: authorId(ctx),
      actorLabel: auditLabel(ctx),
      action: record.action,
      objectType: record.objectType,
      objectId: record.objectId,
      before: toJson(record.before),
      after: toJson(record.after),
      reason: record.reason ?? '',
      ipAddress: ctx.ipAddress,
    },
  })
}

function toJson(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  const clean = withoutSecrets(value)
  return clean === null ? Prisma.DbNull : (clean as Prisma.InputJsonValue)
}

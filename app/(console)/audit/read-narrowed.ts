import { auditedObject } from '@/components/audit/audited-object'
import { auditDiff } from '@/lib/audit/audit-diff'
import { AuditFilter } from '@/lib/audit/audit-filter'
import { listAudit } from '@/lib/audit/list-audit'
import type { Ctx } from '@/lib/context'
import { emailOf } from '@/lib/users/read-user'

/** Entries of an object that are looked at for its name. */
const looked = 20

/** What ids in the address stand for; null = none is there, or nothing is known about it. */
export type Narrowed = { person: string | null; object: string | null }

/** Who and what the audit is narrowed to, in words people know. Admins only. */
export async function readNarrowed(
  ctx: Ctx,
  { actorId, objectId }: Pick<AuditFilter, 'actorId' | 'objectId'>,
): Promise<Narrowed> {
  const [person, object] = await Promise.all([
    actorId ? emailOf(ctx, actorId) : null,
    objectId ? nameOf(ctx, objectId) : null,
  ])
  return { person, object }
}

/** As its newest entry that says it calls it. */
async function nameOf(ctx: Ctx, objectId: string): Promise<string | null> {
  const { rows } = await listAudit(ctx, AuditFilter.parse({ objectId, limit: looked }))
  for (const { before, after, ...entry } of rows) {
    const { name } = auditedObject({ ...entry, changes: auditDiff(before, after) })
    if (name !== null) return name
  }
  return null
}

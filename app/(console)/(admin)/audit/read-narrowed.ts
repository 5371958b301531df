import { auditDiff } from '@toolgate/server/domains/audit/audit-diff'
import { AuditFilter } from '@toolgate/server/domains/audit/audit-filter'
import { listAudit } from '@toolgate/server/domains/audit/list-audit'
import { personName } from '@toolgate/server/domains/users/reads'
import type { Ctx } from '@toolgate/server/kernel/context'
import { auditedObject } from '@/components/audit/audited-object'

/** The number of audit entries that are searched for the name of an object. */
const searchedEntries = 20

/** The names for ids in the address; null = the address has none, or no name is known. */
export type Narrowed = { person: string | null; object: string | null }

/** Reads the names of the person and object that the audit is filtered by. Admins only. */
export async function readNarrowed(
  ctx: Ctx,
  { actorId, objectId }: Pick<AuditFilter, 'actorId' | 'objectId'>,
): Promise<Narrowed> {
  const [person, object] = await Promise.all([
    actorId ? personName(ctx, actorId) : null,
    objectId ? nameOf(ctx, objectId) : null,
  ])
  return { person, object }
}

/** Returns the name in the newest entry that has one. */
async function nameOf(ctx: Ctx, objectId: string): Promise<string | null> {
  const { rows } = await listAudit(ctx, AuditFilter.parse({ objectId, limit: searchedEntries }))
  for (const { before, after, ...entry } of rows) {
    const { name } = auditedObject({ ...entry, changes: auditDiff(before, after) })
    if (name !== null) return name
  }
  return null
}

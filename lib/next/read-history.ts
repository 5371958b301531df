import { auditDiff } from '@toolgate/server/domains/audit/audit-diff'
import { listAudit } from '@toolgate/server/domains/audit/list-audit'
import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import type { Ctx } from '@toolgate/server/kernel/context'

/** The entries of the audit that the page of an object shows. */
const shownEntries = 20

/** Returns the newest entries of the audit about an object, and who added it, by name. */
export async function readHistory(
  ctx: Ctx,
  about: { objectType: string; objectId: string },
  createdByLabel: string,
) {
  const { rows, total } = await listAudit(ctx, { ...about, limit: shownEntries })
  const nameOf = await readPersonNames([createdByLabel, ...rows.map(({ actor }) => actor)])
  const withChanges = rows.map(({ before, after, ...row }) => ({
    ...row,
    actor: nameOf(row.actor),
    changes: auditDiff(before, after),
  }))
  return { rows: withChanges, total, addedBy: nameOf(createdByLabel) }
}

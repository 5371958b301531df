import { orNotFound } from '../auth/or-not-found'
import { auditDiff } from '../domains/audit/audit-diff'
import { listAudit } from '../domains/audit/list-audit'
import type { Ctx } from '../kernel/context'
import type { ResourceVerbs } from '../kernel/resource-verbs'
import type { Definition, Resource } from '../protocol/resource'
import { readReferenceChoices } from './reference-choices'

/** The entries of the audit that the page of an object shows. */
const shownEntries = 20

/**
 * Reads what the page of one object shows: the object, what its form can refer to, and the newest entries of its history. Shows the
 * page "nothing here" when it does not exist.
 */
export async function readResourcePage<D extends Definition>(
  ctx: Ctx,
  resource: Resource<D>,
  verbs: Pick<ResourceVerbs<D>, 'read'>,
  id: string,
) {
  const object = await orNotFound(() => verbs.read(ctx, { id }))
  const [choices, history] = await Promise.all([
    readReferenceChoices(ctx, resource),
    readHistory(ctx, resource.noun, id),
  ])
  return { object, choices, history }
}

async function readHistory(ctx: Ctx, objectType: string, objectId: string) {
  const filter = { objectType, objectId, limit: shownEntries }
  const { rows, total } = await listAudit(ctx, filter)
  const withChanges = rows.map(({ before, after, ...row }) => ({
    ...{ ...row, changes: auditDiff(before, after) },
  }))
  return { rows: withChanges, total }
}

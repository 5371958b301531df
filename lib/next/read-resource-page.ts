import { auditDiff } from '@toolgate/server/domains/audit/audit-diff'
import { listAudit } from '@toolgate/server/domains/audit/list-audit'
import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import type { Values } from '@toolgate/server/edge/resource-values'
import type { ResourceVerbs } from '@toolgate/server/edge/resource-verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import { headingOf } from '@/lib/protocol/nouns'
import { calledOf, type Definition, type Resource } from '@/lib/shape/resource'
import { pageTitle } from '@/lib/words/page-title'
import { pageObject } from './or-not-found'
import { readReferenceChoices } from './reference-choices'

/** The entries of the audit that the page of an object shows. */
const shownEntries = 20

/**
 * Makes what reads the page of one object. Both show the page "nothing here" when it does not exist; the object is read once a
 * request.
 */
export function resourcePage<D extends Definition>(
  resource: Resource<D>,
  verbs: Pick<ResourceVerbs<D>, 'read'>,
) {
  const find = pageObject((ctx, id) => verbs.read(ctx, { id }))
  return {
    /** Reads the object, what its form can refer to, and the newest entries of its history. */
    read: async (ctx: Ctx, id: string) => {
      const object = await find(id)
      const { createdByLabel }: Values = { ...object }
      const [choices, history] = await Promise.all([
        readReferenceChoices(ctx, resource),
        readHistory(ctx, { objectType: resource.noun, objectId: id }, String(createdByLabel)),
      ])
      return { object, choices, history }
    },
    /** Returns the title of the page: what the object is called, and the list that it is in. */
    title: async (id: string) => {
      const row: Values = { ...(await find(id)) }
      return pageTitle(calledOf(row), headingOf(resource))
    },
  }
}

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

import { auditDiff } from '@toolgate/server/domains/audit/audit-diff'
import { listAudit } from '@toolgate/server/domains/audit/list-audit'
import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import type { Values } from '@toolgate/server/edge/resource-values'
import type { ResourceVerbs } from '@toolgate/server/edge/resource-verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { headingOf } from '@/lib/protocol/nouns'
import { calledOf, type Definition, type DetailOf, type Resource } from '@/lib/shape/resource'
import { pageTitle } from '@/lib/words/page-title'
import { pageObject } from './or-not-found'
import { readReferenceChoices } from './reference-choices'
import { requireAdmin } from './require-user'

/** The entries of the audit that the page of an object shows. */
const shownEntries = 20

type SearchParams = Record<string, string | string[] | undefined>
type Props = { params: Promise<Record<string, string>>; searchParams: Promise<SearchParams> }

/** An object for its page, with the choices of its form, the newest entries of its history, and the query of the address. */
export type ReadObject<R extends { Detail: z.ZodType }> = {
  ctx: Ctx
  object: DetailOf<R>
  choices: Awaited<ReturnType<typeof readReferenceChoices>>
  history: Awaited<ReturnType<typeof readHistory>>
  searchParams: SearchParams
}

/**
 * Makes the page of one object of a resource, for admins, and its title: what the object is called, and the list that it is
 * in. Both show "nothing here" when it does not exist; the object is read once a request. The address names its id alone.
 */
export function resourcePage<D extends Definition>(
  resource: Resource<D>,
  verbs: Pick<ResourceVerbs<D>, 'read'>,
  show: (read: ReadObject<Resource<D>>) => ReactNode | Promise<ReactNode>,
) {
  const find = pageObject((ctx, id) => verbs.read(ctx, { id }))
  const idIn = async (params: Props['params']) => Object.values(await params)[0] ?? ''
  return {
    generateMetadata: async ({ params }: Props): Promise<Metadata> => {
      const row: Values = { ...(await find(await idIn(params))) }
      return pageTitle(calledOf(row), headingOf(resource))
    },
    page: async ({ params, searchParams }: Props) => {
      const ctx = await requireAdmin()
      const id = await idIn(params)
      const object = await find(id)
      const { createdByLabel }: Values = { ...object }
      const [choices, history] = await Promise.all([
        readReferenceChoices(ctx, resource),
        readHistory(ctx, { objectType: resource.noun, objectId: id }, String(createdByLabel)),
      ])
      return show({ ctx, object, choices, history, searchParams: await searchParams })
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

import type { Values } from '@toolgate/server/edge/resource-values'
import type { ResourceVerbs } from '@toolgate/server/edge/resource-verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { type OwnFacts, ResourcePage } from '@/components/resource/resource-page'
import { pageObject } from '@/lib/next/or-not-found'
import { readHistory } from '@/lib/next/read-history'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import { headingOf } from '@/lib/protocol/nouns'
import { calledOf, type Definition, type DetailOf, type Resource } from '@/lib/shape/resource'
import { pageTitle } from '@/lib/words/page-title'
import { updateObject } from './resource-actions'

type SearchParams = Record<string, string | string[] | undefined>
type Props = { params: Promise<Record<string, string>>; searchParams: Promise<SearchParams> }

/** An object for its page, with the choices of its form and the query of the address. */
export type ReadObject<R extends { Detail: z.ZodType }> = {
  ctx: Ctx
  object: DetailOf<R>
  choices: Awaited<ReturnType<typeof readReferenceChoices>>
  searchParams: SearchParams
}

/** The parts of an object's page that are its noun's own. */
type Parts<R extends { Detail: z.ZodType }> = {
  actions: ReactNode
  facts?: OwnFacts
  /** The object as the page shows it, where that is not as it was read. */
  shown?: DetailOf<R>
  /** A `SideIndex`, for pages that are long. */
  index?: ReactNode
  /** Sections before its history. */
  children?: ReactNode
}

/**
 * Makes the page of one object of a resource, for admins, and its title: what the object is called, and the list that it is
 * in. Both show "nothing here" when it does not exist; the object is read once a request. The address names its id alone.
 */
export function resourcePage<D extends Definition>(
  resource: Resource<D>,
  verbs: Pick<ResourceVerbs<D>, 'read'>,
  readParts: (read: ReadObject<Resource<D>>) => Parts<Resource<D>> | Promise<Parts<Resource<D>>>,
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
      const read = { ctx, object, choices, searchParams: await searchParams }
      const { shown = object, ...parts } = await readParts(read)
      return (
        <ResourcePage
          {...parts}
          resource={resource}
          object={shown}
          history={history}
          change={updateObject.bind(null, resource.noun)}
        />
      )
    },
  }
}

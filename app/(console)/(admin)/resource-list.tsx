import type { Params } from '@toolgate/server/edge/lenient-query'
import { type ReadList, readResourceList } from '@toolgate/server/edge/resource-list'
import type { ResourceVerbs } from '@toolgate/server/edge/resource-verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import type { ComponentProps, ReactNode } from 'react'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import { headingOf, wordsOf } from '@/lib/protocol/nouns'
import type { Definition, Resource } from '@/lib/shape/resource'

type Shown<D extends Definition> = Pick<
  ComponentProps<typeof ResourceListPage<D>>,
  'about' | 'columns' | 'card' | 'searched' | 'filters'
>

/** Makes the content above a list from the choices of its form. */
type Above = (choices: ReferenceChoices) => ReactNode

/** The parts of a list's page that are its noun's own. */
type Parts<D extends Definition> = Shown<D> & {
  /** The button that adds one, with the choices of its form. */
  add: (choices: ReferenceChoices) => ReactNode
  /** Icon and text where there are none yet. */
  nothing: { icon: ComponentProps<typeof ResourceListPage<D>>['nothing']['icon']; words: string }
  /** Completes the rows of the page. */
  complete?: (rows: ReadList<D>['rows']) => Promise<ReadList<D>['rows']>
  /** Reads the content above the list, while the list is read. */
  readAbove?: (ctx: Ctx, params: Params) => Promise<Above>
}

/** Makes the page of a resource's list, for admins. */
export function resourceListPage<D extends Definition>(
  resource: Resource<D>,
  verbs: ResourceVerbs<D>,
  { add, nothing, complete, readAbove, ...shown }: Parts<D>,
) {
  return async function ResourceList({ searchParams }: { searchParams: Promise<Params> }) {
    const ctx = await requireAdmin()
    const params = await searchParams
    const [list, choices, above] = await Promise.all([
      readResourceList(ctx, resource, verbs, params),
      readReferenceChoices(ctx, resource),
      readAbove?.(ctx, params),
    ])
    return (
      <ResourceListPage
        {...shown}
        title={headingOf(resource)}
        add={add(choices)}
        resource={resource}
        list={complete ? { ...list, rows: await complete(list.rows) } : list}
        nothing={{ ...nothing, title: `No ${wordsOf(resource).many} yet` }}
      >
        {above?.(choices)}
      </ResourceListPage>
    )
  }
}

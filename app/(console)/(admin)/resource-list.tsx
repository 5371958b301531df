import type { Params } from '@toolgate/server/edge/lenient-query'
import { type ReadList, readResourceList } from '@toolgate/server/edge/resource-list'
import type { ResourceVerbs } from '@toolgate/server/edge/resource-verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import type { ComponentType, ReactNode } from 'react'
import type { FilterField } from '@/components/forms/address-filter'
import { kindIcons } from '@/components/nouns/kind-icons'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import {
  CardHead,
  CardText,
  type OwnColumn,
  resourceColumns,
} from '@/components/resource/resource-list'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import { headingOf, wordsOf } from '@/lib/protocol/nouns'
import { searchedWords } from '@/lib/shape/listed-fields'
import { type Definition, type ListingOf, type Resource, untyped } from '@/lib/shape/resource'
import { updateObject } from './resource-actions'

type Found = Definition & { noun: keyof typeof kindIcons }
type Choices = { choices: ReferenceChoices }

/** The parts of a list's page that are its noun's own. */
type Parts<D extends Definition> = {
  /** The sentence below the heading. */
  about: string
  /** The first step where there are none yet; left out = the button says it. */
  empty?: string
  /** The button that adds one. */
  add: ComponentType<Choices>
  /** Columns in place of those of fields, by their keys, and further ones. */
  columns?: readonly OwnColumn<D>[]
  /** Returns text that follows the listed fields on a card. */
  cardText?: (row: ListingOf<Resource<D>>) => string | null
  /** Returns the content of a card below those. */
  card?: (row: ListingOf<Resource<D>>) => ReactNode
  /** The columns that the search looks at: "name and prompt"; left out = the fields that are `searched`. */
  searched?: string
  filters?: readonly FilterField[]
  /** Completes the rows of the page. */
  complete?: (rows: ReadList<D>['rows']) => Promise<ReadList<D>['rows']>
  /** Reads the content above the list, while the list is read. */
  readAbove?: (ctx: Ctx, params: Params) => Promise<(choices: ReferenceChoices) => ReactNode>
}

/** Makes the page of a resource's list, for admins. */
export function resourceListPage<D extends Found>(
  resource: Resource<D>,
  verbs: ResourceVerbs<D>,
  { add: Add, ...parts }: Parts<D>,
) {
  const { about, empty, columns, card, cardText, filters, complete, readAbove } = parts
  const { fields } = untyped(resource)
  const change = updateObject.bind(null, resource.noun)
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
        title={headingOf(resource)}
        about={about}
        add={<Add choices={choices} />}
        resource={resource}
        list={complete ? { ...list, rows: await complete(list.rows) } : list}
        filters={filters}
        columns={resourceColumns(resource, change, columns)}
        card={(row) => (
          <>
            <CardHead resource={untyped(resource)} row={{ ...row }} send={change} />
            <CardText fields={fields} row={{ ...row }} more={cardText?.(row)} />
            {card?.(row)}
          </>
        )}
        searched={parts.searched ?? searchedWords(fields)}
        nothing={{
          icon: kindIcons[resource.noun],
          title: `No ${wordsOf(resource).many} yet`,
          ...(empty && { words: empty }),
        }}
      >
        {above?.(choices)}
      </ResourceListPage>
    )
  }
}

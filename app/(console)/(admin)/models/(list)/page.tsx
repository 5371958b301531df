import { listModels } from '@toolgate/server/domains/models/reads'
import { defaultModelSort, type ModelListing } from '@toolgate/server/domains/models/schemas'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { Boxes, Plus, Radar } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { FilterField } from '@/components/forms/address-filter'
import { choiceFilter, onOffField } from '@/components/list/filter-fields'
import { WholeList } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { toolWords } from '@/lib/domains/models/shape'
import { requireAdmin } from '@/lib/next/require-user'
import { choicesOf } from '@/lib/shape/field-shape'
import { filterModels, ModelQuery, sortModels } from '../model-filter'
import { ModelList } from './model-list'

export const metadata: Metadata = { title: 'Models' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function ModelsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, sort, ...values } = lenientQuery(ModelQuery, await searchParams)
  const all = await listModels(ctx, {})
  const found = sortModels(filterModels(all, values), sort)
  const address = { path: '/models', values, page, sort: { by: sort, default: defaultModelSort } }
  return (
    <PageFrame kind="list">
      <PageHead title="Models" action={<Actions />}>
        Capabilities and prices per million tokens.
      </PageHead>
      <WholeList
        thing="model"
        address={address}
        fields={fieldsFor(all)}
        found={found}
        whole={all.length}
        list={ModelList}
        searched="name, id, connection and configuration"
        nothing={
          <EmptyState icon={Boxes} title="No models yet" action={<Actions />}>
            Pick those that configurations may use.
          </EmptyState>
        }
      />
    </PageFrame>
  )
}

const prices = [
  { value: 'priced', label: 'Priced' },
  { value: 'unpriced', label: 'Unpriced' },
  { value: 'missing', label: 'In use, unpriced' },
  { value: 'stale', label: 'Out of date' },
]

function fieldsFor(models: readonly ModelListing[]): FilterField[] {
  const connections = new Map(
    models.map(({ connectionId, connectionName }) => [connectionId, connectionName]),
  )
  return [
    { type: 'search', name: 'search', label: 'Search models' },
    choiceFilter(
      'connection',
      {
        label: 'Connection',
        choices: [...connections].map(([value, label]) => ({ value, label })),
      },
      'Any connection',
    ),
    choiceFilter('price', { label: 'Price', choices: prices }, 'Priced and unpriced'),
    choiceFilter('tools', { label: 'Tools', choices: choicesOf(toolWords) }, 'Any tool calling'),
    onOffField,
  ]
}

function Actions() {
  return (
    <>
      <Button asChild>
        <Link href="/models/new">
          <Plus className="size-4" aria-hidden />
          Add by id
        </Link>
      </Button>
      <Button asChild variant="primary">
        <Link href="/models/discover">
          <Radar className="size-4" aria-hidden />
          Discover models
        </Link>
      </Button>
    </>
  )
}

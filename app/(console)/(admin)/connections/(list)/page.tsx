import { Plug } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { AddLink } from '@/components/list/add-link'
import { choiceFilter } from '@/components/list/filter-fields'
import { ListFrame } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { listConnections } from '@/lib/domains/connections/reads'
import { usualConnectionSort } from '@/lib/domains/connections/schemas'
import { connectionShape } from '@/lib/domains/connections/shape'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { choicesOf } from '@/lib/protocol/field-shape'
import { ConnectionQuery, filterConnections } from '../connection-filter'
import { stateWords } from '../connection-words'
import { PresetLinks } from '../preset-links'
import { ConnectionList } from './connection-list'

export const metadata: Metadata = { title: 'Connections' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const pageSize = 50

const fields: FilterField[] = [
  { type: 'search', name: 'search', label: 'Search connections' },
  choiceFilter('wire', connectionShape.wire, 'Any API type'),
  choiceFilter('zone', connectionShape.trustZone, 'Any trust zone'),
  choiceFilter('state', { label: 'Health', choices: choicesOf(stateWords) }, 'Any health'),
]

const add = <AddLink href="/connections/new">Add connection</AddLink>

export default async function ConnectionsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, sort, ...values } = lenientQuery(ConnectionQuery, await searchParams)
  const all = await listConnections(ctx, { sort })
  const found = filterConnections(all, values)
  const address = {
    path: '/connections',
    values,
    page,
    sort: { by: sort, usual: usualConnectionSort },
  }
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Connections" action={all.length > 0 && add}>
        Providers of models, with address, key and trust zone. The trust zone sets which data they
        may receive. Keys are stored in the vault.
      </PageHead>
      <ListFrame
        thing="connection"
        address={address}
        fields={fields}
        total={found.length}
        whole={all.length}
        pageSize={pageSize}
        searched="name, API type and address"
        nothing={<FirstSteps />}
      >
        <ConnectionList
          rows={found.slice((page - 1) * pageSize, page * pageSize)}
          address={address}
        />
      </ListFrame>
    </div>
  )
}

function FirstSteps() {
  return (
    <div className="flex flex-col gap-4">
      <EmptyState icon={Plug} title="No connections yet" action={add}>
        A connection is a provider of models: its address, its key and its trust zone. Pick a
        provider below, or enter your own address.
      </EmptyState>
      <PresetLinks chosen={null} />
    </div>
  )
}

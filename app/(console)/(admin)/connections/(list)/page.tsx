import { Plug } from 'lucide-react'
import type { Metadata } from 'next'
import { AddLink } from '@/components/list/links'
import { WholeList } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { listConnections } from '@/lib/domains/connections/reads'
import { defaultConnectionSort } from '@/lib/domains/connections/schemas'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { ConnectionQuery, connectionFilters, filterConnections } from '../connection-filter'
import { PresetLinks } from '../preset-links'
import { ConnectionList } from './connection-list'

export const metadata: Metadata = { title: 'Connections' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

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
    sort: { by: sort, default: defaultConnectionSort },
  }
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Connections" action={all.length > 0 && add}>
        Providers of models, with address, key and trust zone. The trust zone sets which data they
        may receive. Keys are stored in the vault.
      </PageHead>
      <WholeList
        thing="connection"
        address={address}
        fields={connectionFilters}
        found={found}
        whole={all.length}
        list={ConnectionList}
        searched="name, API type and address"
        nothing={<FirstSteps />}
      />
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

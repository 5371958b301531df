import { connectionPresets } from '@toolgate/server/domains/connections/presets'
import { listConnections } from '@toolgate/server/domains/connections/reads'
import { defaultConnectionSort } from '@toolgate/server/domains/connections/schemas'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { Plug } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AddLink } from '@/components/list/links'
import { WholeList } from '@/components/list/list-frame'
import { PresetLinks } from '@/components/nouns/preset-links'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { ConnectionQuery, connectionFilters, filterConnections } from '../connection-filter'
import { ConnectionList } from './connection-list'

export const metadata: Metadata = { title: 'Connections' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const connect = <AddLink href="/connect">Connect a model</AddLink>

const add = (
  <>
    <Button asChild>
      <Link href="/connections/new">Add connection</Link>
    </Button>
    {connect}
  </>
)

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
    <PageFrame kind="list">
      <PageHead title="Connections" action={all.length > 0 && add}>
        Address, key and trust zone of each provider.
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
    </PageFrame>
  )
}

function FirstSteps() {
  return (
    <div className="flex flex-col gap-4">
      <EmptyState icon={Plug} title="No connections yet" action={connect}>
        Pick a provider, paste its key, and run a first prompt.
      </EmptyState>
      <PresetLinks
        presets={connectionPresets}
        chosen={null}
        href={(id) => `/connect?provider=${id}`}
      />
    </div>
  )
}

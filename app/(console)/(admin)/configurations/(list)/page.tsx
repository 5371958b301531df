import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { configurationTrust } from '@toolgate/server/toolset/policy/policy-effect'
import { SlidersHorizontal } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { onOffField } from '@/components/list/filter-fields'
import { AddLink } from '@/components/list/links'
import { WholeList } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { zoneWords } from '@/lib/protocol/trust-words'
import {
  ConfigurationQuery,
  defaultConfigurationSort,
  filterConfigurations,
  sortConfigurations,
} from '../configuration-filter'
import { ConfigurationList } from './configuration-list'

export const metadata: Metadata = { title: 'Configurations' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const fields: FilterField[] = [
  { type: 'search', name: 'search', label: 'Search configurations' },
  onOffField,
  {
    type: 'choice',
    name: 'zone',
    label: 'Trust zone',
    any: 'Any trust zone',
    options: Object.entries(zoneWords).map(([value, label]) => ({ value, label })),
  },
]

const add = <AddLink href="/configurations/new">Add configuration</AddLink>

export default async function ConfigurationsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, sort, ...values } = lenientQuery(ConfigurationQuery, await searchParams)
  const all = (await listGovernedConfigurations(ctx, {})).map((each) => {
    const { least, limit } = configurationTrust(each.chain, each.raisedDataClass)
    return { ...each, zone: least.zone, limit }
  })
  const found = sortConfigurations(filterConfigurations(all, values), sort)
  const order = { by: sort, default: defaultConfigurationSort }
  const address = { path: '/configurations', values, page, sort: order }
  return (
    <PageFrame kind="list">
      <PageHead title="Configurations" action={add}>
        Model, prompt, limits and tools of a run.
      </PageHead>
      <WholeList
        thing="configuration"
        address={address}
        fields={fields}
        found={found}
        whole={all.length}
        list={ConfigurationList}
        searched="name, identifier, model, connection and group"
        nothing={<NoConfigurations />}
      />
    </PageFrame>
  )
}

function NoConfigurations() {
  return (
    <EmptyState icon={SlidersHorizontal} title="No configurations yet" action={add}>
      Model, instructions and limits that people pick for a run.
    </EmptyState>
  )
}

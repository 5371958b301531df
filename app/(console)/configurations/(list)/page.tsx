import { SearchX, SlidersHorizontal } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { countOf } from '@/components/trace/count-of'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { PageLinks } from '@/components/ui/page-links'
import { requireAdmin } from '@/lib/auth/require-user'
import { listGovernedConfigurations } from '@/lib/configurations/list-governed-configurations'
import { configurationTrust } from '@/lib/toolset/configuration-trust'
import { filterConfigurations, readConfigurationFilter } from '../configuration-filter'
import { zoneWords } from '../configuration-words'
import { ConfigurationList } from './configuration-list'

export const metadata: Metadata = { title: 'Configurations' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const pageSize = 50

const fields: FilterField[] = [
  { type: 'search', name: 'search', label: 'Search configurations' },
  {
    type: 'choice',
    name: 'state',
    label: 'State',
    any: 'On or off',
    options: [
      { value: 'on', label: 'On' },
      { value: 'off', label: 'Off' },
    ],
  },
  {
    type: 'choice',
    name: 'zone',
    label: 'Trust zone',
    any: 'Any trust zone',
    options: Object.entries(zoneWords).map(([value, label]) => ({ value, label })),
  },
]

export default async function ConfigurationsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, ...filter } = readConfigurationFilter(await searchParams)
  const all = (await listGovernedConfigurations(ctx)).map((each) => {
    const { least, limit } = configurationTrust(each.chain, each.raisedDataClass)
    return { ...each, zone: least.zone, limit }
  })
  const found = filterConfigurations(all, filter)
  const pages = Math.max(1, Math.ceil(found.length / pageSize))
  const at = Math.min(page, pages)
  const whole = countOf(all.length, 'configuration')
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Configurations">
        What people pick to run with: a model, who may use it, and what its runs may be offered.
      </PageHead>
      {all.length > 0 && (
        <AddressFilter
          path="/configurations"
          fields={fields}
          values={filter}
          count={found.length === all.length ? whole : `${found.length} of ${whole}`}
        />
      )}
      {found.length === 0 ? (
        <Nothing none={all.length === 0} />
      ) : (
        <ConfigurationList rows={found.slice((at - 1) * pageSize, at * pageSize)} />
      )}
      <PageLinks
        of="configurations"
        page={at}
        pages={pages}
        hrefOf={(next) => addressOf('/configurations', { ...filter, page: next })}
      />
    </div>
  )
}

function Nothing({ none }: { none: boolean }) {
  if (none) {
    return (
      <EmptyState icon={SlidersHorizontal} title="There is no configuration yet">
        <p>A configuration says which model runs a prompt. Add one in a terminal:</p>
        <p className="mt-2 font-mono text-mono text-normal [overflow-wrap:anywhere]">
          npx toolgate configuration add --connection NAME --model MODEL --identifier NAME --name
          NAME
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No configuration fits this filter"
      action={
        <Button asChild>
          <Link href="/configurations">Clear filter</Link>
        </Button>
      }
    >
      Search looks at name, identifier, model, connection and the groups that may use it.
    </EmptyState>
  )
}

import { listMemorySizes } from '@toolgate/server/domains/memory/reads'
import { defaultSizeSort, SizeFilter } from '@toolgate/server/domains/memory/schemas'
import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { NotebookPen } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { ListFrame } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { rowsPerPage } from '@/lib/shape/resource'
import { SizeList } from './size-list'

export const metadata: Metadata = { title: 'Memory of people' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const Query = SizeFilter.omit({ pageSize: true })

export default async function PeoplePage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { page, sort, ...values } = lenientQuery(Query, await searchParams)
  const input = { page, sort, ...values, pageSize: rowsPerPage }
  const { sizes: found, total } = await listMemorySizes(ctx, input)
  const nameOf = await readPersonNames(found.map(({ person }) => person.email))
  const sizes = found.map(({ person, ...size }) => ({
    ...size,
    person: { id: person.id, name: nameOf(person.email) },
  }))
  const order = { by: sort, default: defaultSizeSort }
  const address = { path: '/memory/people', values, page, sort: order }
  return (
    <PageFrame kind="list">
      <PageHead title="Memory">How many notes runs keep; only their owners read them.</PageHead>
      <ListFrame
        thing="memory"
        things="memories"
        address={address}
        fields={[search]}
        total={total}
        pageSize={rowsPerPage}
        searched="person and configuration"
        nothing={<EmptyState icon={NotebookPen} title="No notes yet" />}
      >
        <SizeList rows={sizes} address={address} />
      </ListFrame>
    </PageFrame>
  )
}

const search: FilterField = { type: 'search', name: 'search', label: 'Search people' }

import type { Metadata } from 'next'
import { ResourcePage } from '@/components/resource/resource-page'
import { requireAdmin } from '@/lib/auth/require-user'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { searchEndpointVerbs } from '@/lib/domains/search-endpoints/verbs'
import { readResourcePage } from '@/lib/doors/read-resource-page'
import { changeSearchEndpoint } from '../actions'
import { SearchEndpointActions } from '../search-endpoint-form'

export const metadata: Metadata = { title: 'Search endpoint' }

type Props = { params: Promise<{ endpointId: string }> }

export default async function SearchEndpointPage({ params }: Props) {
  const ctx = await requireAdmin()
  const { endpointId } = await params
  const [read, { rows: on }] = await Promise.all([
    readResourcePage(ctx, searchEndpoints, searchEndpointVerbs, endpointId),
    searchEndpointVerbs.list(ctx, { state: 'on', sort: 'name' }),
  ])
  const { object, choices, history } = read
  const others = on.filter(({ id }) => id !== object.id).length
  return (
    <ResourcePage
      resource={searchEndpoints}
      object={object}
      history={history}
      change={changeSearchEndpoint}
      actions={<SearchEndpointActions endpoint={object} others={others} choices={choices} />}
    />
  )
}

import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import type { Metadata } from 'next'
import { ResourcePage } from '@/components/resource/resource-page'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { resourcePage } from '@/lib/next/read-resource-page'
import { requireAdmin } from '@/lib/next/require-user'
import { changeSearchEndpoint } from '../actions'
import { SearchEndpointActions } from '../search-endpoint-form'

const page = resourcePage(searchEndpoints, searchEndpointVerbs)

type Props = { params: Promise<{ endpointId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return page.title((await params).endpointId)
}

export default async function SearchEndpointPage({ params }: Props) {
  const ctx = await requireAdmin()
  const { endpointId } = await params
  const [read, { rows: on }] = await Promise.all([
    page.read(ctx, endpointId),
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

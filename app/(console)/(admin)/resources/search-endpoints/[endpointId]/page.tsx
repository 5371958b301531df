import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import { ResourcePage } from '@/components/resource/resource-page'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { type ReadObject, resourcePage } from '@/lib/next/read-resource-page'
import { changeSearchEndpoint } from '../actions'
import { SearchEndpointActions } from '../search-endpoint-form'

const { page, generateMetadata } = resourcePage(
  searchEndpoints,
  searchEndpointVerbs,
  SearchEndpointPage,
)

export { generateMetadata }
export default page

async function SearchEndpointPage({
  ctx,
  object,
  choices,
  history,
}: ReadObject<typeof searchEndpoints>) {
  const { rows: on } = await searchEndpointVerbs.list(ctx, { state: 'on', sort: 'name' })
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

import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { countOf } from '@/lib/words/format'
import { SearchEndpointActions } from '../search-endpoint-form'

const { page, generateMetadata } = resourcePage(
  searchEndpoints,
  searchEndpointVerbs,
  async ({ ctx, object, choices }) => {
    const { rows } = await searchEndpointVerbs.list(ctx, { state: 'on', sort: 'name' })
    const others = rows.filter(({ id }) => id !== object.id).length
    const effect =
      others === 0
        ? 'web_search is then no longer offered.'
        : `web_search goes on with ${countOf(others, 'other search endpoint')}.`
    const removal = `Its key is deleted. ${effect}`
    return {
      actions: <SearchEndpointActions object={object} choices={choices} removal={removal} />,
    }
  },
)

export { generateMetadata }
export default page

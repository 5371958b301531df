'use client'
import { Search } from 'lucide-react'
import { ActButton } from '@/components/forms/act-button'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type SearchEndpoint, searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { countOf } from '@/lib/words/format'
import {
  addSearchEndpoint,
  changeSearchEndpoint,
  removeSearchEndpoint,
  sendTestQuery,
} from './actions'

const spec: Omit<FormSpec<typeof searchEndpoints>, 'removal'> = {
  add: addSearchEndpoint,
  change: changeSearchEndpoint,
  remove: removeSearchEndpoint,
  description:
    'The queries of web_search are sent there, for everybody who may use it. The key is encrypted and never shown.',
}

export function NewSearchEndpointButton({ choices }: { choices: ReferenceChoices }) {
  return (
    <NewResourceButton
      resource={searchEndpoints}
      spec={{ ...spec, removal: null }}
      choices={choices}
    />
  )
}

/** Sends a test query to a search endpoint, edits it and deletes it. `others`: how many others are switched on. */
export function SearchEndpointActions({
  endpoint,
  others,
  choices,
}: {
  endpoint: SearchEndpoint
  others: number
  choices: ReferenceChoices
}) {
  const removal = `Nothing is asked there any more, and its key is deleted. ${effectWords(others)} To pause it, switch it off instead.`
  return (
    <>
      <ActButton
        icon={<Search className="size-4" aria-hidden />}
        failed="The search endpoint did not answer"
        done={({ words }) => words}
        send={async () => {
          const result = await sendTestQuery({ id: endpoint.id })
          if (!result.ok || result.value.isAnswered) return result
          return { ok: false, error: { code: 'search-endpoint', message: result.value.words } }
        }}
      >
        Test
      </ActButton>
      <ResourceActions
        resource={searchEndpoints}
        stored={endpoint}
        spec={{ ...spec, removal }}
        choices={choices}
      />
    </>
  )
}

function effectWords(others: number): string {
  if (others === 0) return 'No other one is switched on, so web_search is no longer offered.'
  return `web_search goes on with ${countOf(others, 'other search endpoint')}.`
}

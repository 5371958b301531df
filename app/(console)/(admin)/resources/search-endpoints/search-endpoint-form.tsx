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
import {
  addSearchEndpoint,
  changeSearchEndpoint,
  removeSearchEndpoint,
  sendTestQuery,
} from './actions'

const spec: FormSpec<typeof searchEndpoints> = {
  add: addSearchEndpoint,
  change: changeSearchEndpoint,
  remove: removeSearchEndpoint,
  description:
    'The queries of web_search are sent there, for everybody who may use it. The key is encrypted and never shown.',
  removal:
    'Nothing is asked there any more, and its key is deleted. Without another one that is switched on, web_search is not offered. To pause it, switch it off instead.',
}

export function NewSearchEndpointButton({ choices }: { choices: ReferenceChoices }) {
  return <NewResourceButton resource={searchEndpoints} {...{ spec, choices }} />
}

/** Sends a test query to a search endpoint, edits it and deletes it. */
export function SearchEndpointActions({
  endpoint,
  choices,
}: {
  endpoint: SearchEndpoint
  choices: ReferenceChoices
}) {
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
      <ResourceActions resource={searchEndpoints} stored={endpoint} {...{ spec, choices }} />
    </>
  )
}

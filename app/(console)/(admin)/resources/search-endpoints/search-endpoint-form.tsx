'use client'
import { Search } from 'lucide-react'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { ActButton } from '@/components/forms/act-button'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { sendTestQuery } from './actions'

const form = resourceForm(
  searchEndpoints,
  {
    removal: null,
  },
  ({ object: { id } }) => (
    <ActButton
      icon={<Search className="size-4" aria-hidden />}
      failed="The search endpoint did not answer"
      done={({ words }) => words}
      send={async () => {
        const result = await sendTestQuery({ id })
        if (!result.ok || result.value.isAnswered) return result
        return { ok: false, error: { code: 'search-endpoint', message: result.value.words } }
      }}
    >
      Test
    </ActButton>
  ),
)
export const NewSearchEndpointButton = form.NewButton
export const SearchEndpointActions = form.Actions

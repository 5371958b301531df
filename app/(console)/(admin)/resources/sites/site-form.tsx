'use client'
import { ListTree } from 'lucide-react'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { ActButton } from '@/components/forms/act-button'
import { sites } from '@/lib/domains/sites/shape'
import { checkPages } from './actions'

const form = resourceForm(
  sites,
  {
    removal: 'No tool can read its pages any more.',
  },
  ({ object: { id } }) => (
    <ActButton
      icon={<ListTree className="size-4" aria-hidden />}
      failed="No page was found"
      done={({ words }) => words}
      send={async () => {
        const result = await checkPages({ id })
        if (!result.ok || result.value.pages > 0) return result
        return { ok: false, error: { code: 'site', message: result.value.words } }
      }}
    >
      Check
    </ActButton>
  ),
)
export const NewSiteButton = form.NewButton
export const SiteActions = form.Actions

'use client'
import { ListTree } from 'lucide-react'
import { ActButton } from '@/components/forms/act-button'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type SiteListing, sites } from '@/lib/domains/sites/shape'
import { addSite, changeSite, checkPages, removeSite } from './actions'

const spec: FormSpec<typeof sites> = {
  add: addSite,
  change: changeSite,
  remove: removeSite,
  description:
    'Tools list its pages from its sitemap or its links, and read them. They read nothing else of its host.',
  removal: 'No tool can read its pages any more. To pause it, switch it off instead.',
}

type Choices = { choices: ReferenceChoices }

export function NewSiteButton({ choices }: Choices) {
  return <NewResourceButton resource={sites} spec={spec} choices={choices} />
}

/** Checks which pages of a site can be listed, edits it and deletes it. */
export function SiteActions({ site, choices }: Choices & { site: SiteListing }) {
  return (
    <>
      <ActButton
        icon={<ListTree className="size-4" aria-hidden />}
        failed="No page was found"
        done={({ words }) => words}
        send={async () => {
          const result = await checkPages({ id: site.id })
          if (!result.ok || result.value.pages > 0) return result
          return { ok: false, error: { code: 'site', message: result.value.words } }
        }}
      >
        Check
      </ActButton>
      <ResourceActions resource={sites} stored={site} spec={spec} choices={choices} />
    </>
  )
}

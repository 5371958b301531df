import { siteVerbs } from '@toolgate/server/domains/sites/verbs'
import { readResourceList } from '@toolgate/server/edge/resource-list'
import { PanelsTopLeft } from 'lucide-react'
import type { Metadata } from 'next'
import { ResourceTabs } from '@/app/(console)/(admin)/resources/resource-tabs'
import type { Column } from '@/components/list/columns'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { VisibleText } from '@/components/trace/visible-text'
import { type SiteListing, sites } from '@/lib/domains/sites/shape'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import type { SortKeyOf } from '@/lib/shape/resource'
import { countOf, formatCount } from '@/lib/words/format'
import { changeSite } from '../actions'
import { NewSiteButton } from '../site-form'

export const metadata: Metadata = { title: 'Sites' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function SitesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const [list, choices] = await Promise.all([
    readResourceList(ctx, sites, siteVerbs, await searchParams),
    readReferenceChoices(ctx, sites),
  ])
  return (
    <ResourceListPage
      title="Resources"
      about="What tools may reach. A site is a website whose pages they may list and read."
      add={<NewSiteButton choices={choices} />}
      resource={sites}
      list={list}
      columns={columns}
      card={(site) => <Entry site={site} />}
      searched="name, address and note"
      nothing={{
        icon: PanelsTopLeft,
        title: 'No sites yet',
        words:
          'A site is a website whose pages tools may list and read, for people of the groups that you pick. Begin with the address of its start page.',
      }}
    >
      <ResourceTabs current="/resources/sites" />
    </ResourceListPage>
  )
}

const columns: Column<SiteListing, SortKeyOf<typeof sites>>[] = [
  switchColumn(sites.fields, changeSite),
  nameColumn('Site', sites),
  {
    key: 'address',
    head: 'Start page',
    sort: 'text',
    className: 'max-w-96 [overflow-wrap:anywhere]',
    cell: ({ address }) => <Address text={address} />,
  },
  {
    key: 'pages',
    head: 'Pages at the last check',
    cell: ({ lastCheck }) =>
      lastCheck ? formatCount(lastCheck.pages) : <span className="text-muted">not checked</span>,
  },
  {
    key: 'groups',
    head: sites.fields.groupIds.label,
    className: 'max-w-80 [overflow-wrap:anywhere]',
    cell: ({ groups }) => (
      <VisibleText text={groups.map(({ name }) => name).join(', ') || 'admins only'} />
    ),
  },
]

function Address({ text }: { text: string }) {
  return (
    <code className="font-mono text-mono">
      <VisibleText text={text} />
    </code>
  )
}

/** Shows one site on a narrow screen. */
function Entry({ site }: { site: SiteListing }) {
  return (
    <>
      <CardHead resource={sites} row={site} send={changeSite} />
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        <Address text={site.address} />
        {site.lastCheck && `, ${countOf(site.lastCheck.pages, 'page')} at the last check`}
      </span>
    </>
  )
}

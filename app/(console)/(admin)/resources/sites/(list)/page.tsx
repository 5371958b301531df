import { siteVerbs } from '@toolgate/server/domains/sites/verbs'
import { PanelsTopLeft } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type SiteListing, sites } from '@/lib/domains/sites/shape'
import type { SortKeyOf } from '@/lib/shape/resource'
import { countOf, formatCount } from '@/lib/words/format'
import { changeSite } from '../actions'
import { NewSiteButton } from '../site-form'

export const metadata: Metadata = { title: 'Sites' }

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

export default resourceListPage(sites, siteVerbs, {
  about: 'What tools may reach. A site is a website whose pages they may list and read.',
  add: (choices) => <NewSiteButton choices={choices} />,
  columns,
  card: (site) => <Entry site={site} />,
  searched: 'name, address and note',
  nothing: {
    icon: PanelsTopLeft,
    words:
      'A site is a website whose pages tools may list and read, for people of the groups that you pick. Begin with the address of its start page.',
  },
})

import { siteVerbs } from '@toolgate/server/domains/sites/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { sites } from '@/lib/domains/sites/shape'
import { countOf, formatCount } from '@/lib/words/format'
import { NewSiteButton } from './site-form'

export const metadata = { title: 'Websites' }

export default resourceListPage(sites, siteVerbs, {
  about: 'Websites whose pages tools may list and read.',
  add: NewSiteButton,
  columns: [
    {
      key: 'pages',
      head: 'Pages',
      cell: ({ lastCheck }) =>
        lastCheck ? formatCount(lastCheck.pages) : <span className="text-muted">not checked</span>,
    },
  ],
  cardText: ({ lastCheck }) => (lastCheck ? countOf(lastCheck.pages, 'page') : null),
})

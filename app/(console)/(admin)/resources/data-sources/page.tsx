import { dataSourceVerbs } from '@toolgate/server/toolset/data-sources/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { dataSources } from '@/lib/domains/data-sources/shape'
import { countOf } from '@/lib/words/format'
import { NewDataSourceButton } from './data-source-form'

export const metadata = { title: 'Data sources' }

export default resourceListPage(dataSources, dataSourceVerbs, {
  about: 'Databases whose opened tables and columns tools may read.',
  empty: 'Add a database, then open tables and columns.',
  add: NewDataSourceButton,
  columns: [
    {
      key: 'openTables',
      head: 'Open tables',
      cell: ({ openTables }) =>
        openTables === 0 ? <span className="text-muted">none</span> : openTables,
    },
  ],
  cardText: ({ openTables }) => countOf(openTables, 'open table'),
})

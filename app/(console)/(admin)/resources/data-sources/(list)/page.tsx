import { dataSourceVerbs } from '@toolgate/server/toolset/data-sources/verbs'
import { Database } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import {
  CardHead,
  fieldColumn,
  nameColumn,
  switchColumn,
} from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type DataSource, dataSources } from '@/lib/domains/data-sources/shape'
import { factText } from '@/lib/shape/field-codec'
import type { SortKeyOf } from '@/lib/shape/resource'
import { countOf } from '@/lib/words/format'
import { changeDataSource } from '../actions'
import { NewDataSourceButton } from '../data-source-form'

export const metadata: Metadata = { title: 'Data sources' }

const { fields } = dataSources

const columns: Column<DataSource, SortKeyOf<typeof dataSources>>[] = [
  switchColumn(fields, changeDataSource),
  nameColumn('Data source', dataSources),
  fieldColumn(fields, 'kind', 'text'),
  {
    key: 'leadsTo',
    head: 'Leads to',
    className: 'max-w-96 [overflow-wrap:anywhere]',
    cell: ({ leadsTo }) => leadsTo !== null && <VisibleText text={leadsTo} />,
  },
  {
    key: 'openTables',
    head: 'Open tables',
    cell: ({ openTables }) =>
      openTables === 0 ? <span className="text-muted">none</span> : openTables,
  },
  {
    key: 'groups',
    head: fields.groupIds.label,
    className: 'max-w-80 [overflow-wrap:anywhere]',
    cell: ({ groups }) => (
      <VisibleText text={groups.map(({ name }) => name).join(', ') || 'admins only'} />
    ),
  },
]

/** Shows one data source on a narrow screen. */
function Entry({ source }: { source: DataSource }) {
  return (
    <>
      <CardHead resource={dataSources} row={source} send={changeDataSource} />
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        {factText(fields.kind, source.kind)}, {countOf(source.openTables, 'open table')}
      </span>
    </>
  )
}

export default resourceListPage(dataSources, dataSourceVerbs, {
  about:
    'What tools may reach. A data source is a database: tools read the tables and columns of it that you open.',
  add: (choices) => <NewDataSourceButton choices={choices} />,
  columns,
  card: (source) => <Entry source={source} />,
  searched: 'name, address and note',
  nothing: {
    icon: Database,
    words:
      'A data source is a database whose records tools may read. Add one, then open the tables and columns that they may see.',
  },
})

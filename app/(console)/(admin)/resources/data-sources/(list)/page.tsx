import { readResourceList } from '@toolgate/server/edge/resource-list'
import { dataSourceVerbs } from '@toolgate/server/toolset/data-sources/verbs'
import { Database } from 'lucide-react'
import type { Metadata } from 'next'
import { ResourceTabs } from '@/app/(console)/(admin)/resources/resource-tabs'
import type { Column } from '@/components/list/columns'
import {
  CardHead,
  fieldColumn,
  nameColumn,
  switchColumn,
} from '@/components/resource/resource-list'
import { ResourceListPage } from '@/components/resource/resource-list-page'
import { VisibleText } from '@/components/trace/visible-text'
import { type DataSource, dataSources } from '@/lib/domains/data-sources/shape'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import { factText } from '@/lib/shape/field-codec'
import type { SortKeyOf } from '@/lib/shape/resource'
import { countOf } from '@/lib/words/format'
import { changeDataSource } from '../actions'
import { NewDataSourceButton } from '../data-source-form'

export const metadata: Metadata = { title: 'Data sources' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function DataSourcesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const [list, choices] = await Promise.all([
    readResourceList(ctx, dataSources, dataSourceVerbs, await searchParams),
    readReferenceChoices(ctx, dataSources),
  ])
  return (
    <ResourceListPage
      title="Resources"
      about="What tools may reach. A data source is a database: tools read the tables and columns of it that you open."
      add={<NewDataSourceButton choices={choices} />}
      resource={dataSources}
      list={list}
      columns={columns}
      card={(source) => <Entry source={source} />}
      searched="name, address and note"
      nothing={{
        icon: Database,
        title: 'No data sources yet',
        words:
          'A data source is a database whose records tools may read. Add one, then open the tables and columns that they may see.',
      }}
    >
      <ResourceTabs current="/resources/data-sources" />
    </ResourceListPage>
  )
}

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

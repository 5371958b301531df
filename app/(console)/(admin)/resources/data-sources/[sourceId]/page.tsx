import { listSourceTables } from '@toolgate/server/toolset/data-sources/tables'
import { dataSourceVerbs } from '@toolgate/server/toolset/data-sources/verbs'
import { showTool } from '@toolgate/server/toolset/tools/tool-verbs'
import type { Metadata } from 'next'
import { ResourcePage } from '@/components/resource/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { dataSources } from '@/lib/domains/data-sources/shape'
import { resourcePage } from '@/lib/next/read-resource-page'
import { requireAdmin } from '@/lib/next/require-user'
import { changeDataSource } from '../actions'
import { DataSourceActions } from '../data-source-form'
import { SourceQueries } from './source-queries'
import { SourceTablesSection } from './source-tables'

const page = resourcePage(dataSources, dataSourceVerbs)

type Props = { params: Promise<{ sourceId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return page.title((await params).sourceId)
}

export default async function DataSourcePage({ params }: Props) {
  const ctx = await requireAdmin()
  const { sourceId } = await params
  const { object: source, choices, history } = await page.read(ctx, sourceId)
  const [found, queryTool] = await Promise.all([
    listSourceTables(ctx, { id: source.id }),
    showTool(ctx, { name: 'run_query' }),
  ])
  const tool = queryTool.groupOff ? 'group-off' : queryTool.enabled ? 'on' : 'off'
  const { leadsTo } = source
  return (
    <ResourcePage
      resource={dataSources}
      object={source}
      history={history}
      change={changeDataSource}
      actions={<DataSourceActions source={source} choices={choices} />}
      facts={
        leadsTo === null
          ? {}
          : {
              'Leads to': (
                <code className="font-mono text-mono [overflow-wrap:anywhere]">
                  <VisibleText text={leadsTo} />
                </code>
              ),
            }
      }
    >
      {found.trouble === null ? (
        <p className="text-muted">The database answers.</p>
      ) : (
        <p className="text-warning">
          The database cannot be read now. <VisibleText text={found.trouble} />
        </p>
      )}
      <SourceTablesSection
        sourceId={source.id}
        isConsole={source.kind === 'console'}
        opened={source.tables}
        found={found}
        groups={choices.groups ?? []}
      />
      <SourceQueries
        sourceId={source.id}
        isAllowed={source.queries}
        tool={tool}
        problem={found.queries}
      />
    </ResourcePage>
  )
}

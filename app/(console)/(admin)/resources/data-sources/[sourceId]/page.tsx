import { listSourceTables } from '@toolgate/server/toolset/data-sources/tables'
import { dataSourceVerbs } from '@toolgate/server/toolset/data-sources/verbs'
import { showTool } from '@toolgate/server/toolset/tools/tool-verbs'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { dataSources } from '@/lib/domains/data-sources/shape'
import { DataSourceActions } from '../data-source-form'
import { SourceQueries } from './source-queries'
import { SourceTablesSection } from './source-tables'

const { page, generateMetadata } = resourcePage(
  dataSources,
  dataSourceVerbs,
  async ({ ctx, object: source, choices }) => {
    const [found, queryTool] = await Promise.all([
      listSourceTables(ctx, { id: source.id }),
      showTool(ctx, { name: 'run_query' }),
    ])
    const tool = queryTool.groupOff ? 'group-off' : queryTool.enabled ? 'on' : 'off'
    return {
      actions: <DataSourceActions object={source} choices={choices} />,
      children: (
        <>
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
        </>
      ),
    }
  },
)

export { generateMetadata }
export default page

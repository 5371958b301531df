import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { listTools } from '@toolgate/server/toolset/tools/tool-verbs'
import type { Metadata } from 'next'
import type { ListedTool } from '@/components/nouns/tool-filter'
import { PageRefresh } from '@/components/shell/queries'
import { requireAdmin } from '@/lib/next/require-user'
import { withSwitchers } from '../named-tools'
import { ToolsView } from '../tools-view'

export const metadata: Metadata = { title: 'Tools' }

export default async function ToolsPage() {
  const ctx = await requireAdmin()
  return (
    <>
      <ToolsView tools={(await withSwitchers(await listTools(ctx, {}))).map(listed)} />
      <PageRefresh everyMs={null} />
    </>
  )
}

/** Leaves out what the list does not show, such as the schemas: it is sent to the browser with the page. */
function listed({
  parameters: _parameters,
  example: _example,
  limits: _limits,
  limit: _limit,
  timeoutMs: _timeoutMs,
  server: _server,
  source: _source,
  approvalSetting: _approvalSetting,
  ...shown
}: ToolListing): ListedTool {
  return shown
}

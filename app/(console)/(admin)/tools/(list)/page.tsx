import { listTools } from '@toolgate/server/toolset/tools/tool-verbs'
import type { Metadata } from 'next'
import { PageRefresh } from '@/components/shell/queries'
import { requireAdmin } from '@/lib/next/require-user'
import { withSwitchers } from '../named-tools'
import { ToolsView } from '../tools-view'

export const metadata: Metadata = { title: 'Tools' }

export default async function ToolsPage() {
  const ctx = await requireAdmin()
  return (
    <>
      <ToolsView tools={await withSwitchers(await listTools(ctx, {}))} />
      <PageRefresh everyMs={null} />
    </>
  )
}

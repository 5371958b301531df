import { serverOfTool } from '@toolgate/server/toolset/servers/server-of-tool'
import { redirect } from 'next/navigation'
import { requireAdmin } from '@/lib/next/require-user'

type Props = { params: Promise<{ toolName: string }> }

/** Leads from the name of a tool to its review, on the page of its server; to the list of servers when there is none. */
export default async function ServerOfToolPage({ params }: Props) {
  const ctx = await requireAdmin()
  const { toolName } = await params
  const found = await serverOfTool(ctx, { toolName: toolName.slice(0, 200) })
  if (!found) redirect('/servers')
  const place = found.toolName === null ? '' : `#tool-${found.toolName}`
  redirect(`/servers/${found.serverId}${place}`)
}

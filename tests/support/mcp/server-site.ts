import type { Ctx } from '@/lib/kernel/context'
import { acceptTools, type Decision } from '@/lib/toolset/servers/accept-tools'
import { reviewTools } from '@/lib/toolset/servers/review'
import { needsNoApproval } from '../needs-no-approval'

/**
 * Accepts the tools of a server as they are now, or only the one that it calls so, and switches them on. Those that write
 * need no approval.
 */
export async function acceptServer(
  admin: Ctx,
  id: string,
  facts: Partial<Decision> = {},
  only?: string,
): Promise<void> {
  const reviewed = await reviewTools(admin, { id })
  const request = reviewed.filter(({ remoteName }) => only === undefined || remoteName === only)
  const tools = request.map(({ name, hash }) => ({
    name,
    hash,
    effect: 'read' as const,
    dataClass: 'content' as const,
    requiresAdmin: false,
    enabled: true,
    ...facts,
  }))
  await acceptTools(admin, { id, tools })
  const writing = tools.filter(({ effect }) => effect === 'write')
  await needsNoApproval(...writing.map(({ name }) => name))
}

import 'server-only'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { keyRefusesTool } from '@/lib/protocol/key-limits'
import { runsOfRole } from '@/lib/runs/require-run'
import { installedTools } from '@/lib/toolset/tools/installed-tools'

/**
 * Returns the condition on the approvals that the caller may see and decide: admins all, members those of their own runs; with a
 * limited key, those of the tools and configurations that it may use, whoever started the run (SPEC A7).
 */
export async function visibleApprovals(
  ctx: Ctx,
  client: Tx = db(),
): Promise<Prisma.ApprovalWhereInput> {
  const { keyLimits } = ctx
  const { configurations = null, tools = null, toolGroups = null } = keyLimits ?? {}
  const run = {
    AND: [runsOfRole(ctx), configurations ? { configurationId: { in: configurations } } : {}],
  }
  if (!keyLimits || (tools === null && toolGroups === null)) return { run }
  const key = { name: '', limits: keyLimits }
  const allowed = (await installedTools(client)).filter((tool) => !keyRefusesTool(key, tool))
  return { run, toolName: { in: allowed.map(({ name }) => name) } }
}

import 'server-only'
import { setToolGroup } from '@/lib/domains/tool-settings/set-tool-group'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { didYouMean } from '@/lib/kernel/nearest-name'
import { listToolGroups, type ToolGroupListing } from './list-tool-groups'

/**
 * Switches a whole group of tools off for this site, with a reason, or on again; it acts on the next call of any run,
 * and calls under way are stopped. NotFoundError when no tool belongs to it. Admins only.
 */
export async function switchToolGroup(
  ctx: Ctx,
  input: { name: string; enabled: boolean; reason: string },
): Promise<ToolGroupListing> {
  requireRole(ctx, 'admin')
  const { name } = await findGroup(ctx, input.name)
  await setToolGroup(ctx, { toolGroup: name, enabled: input.enabled, reason: input.reason })
  return findGroup(ctx, name)
}

async function findGroup(ctx: Ctx, name: string): Promise<ToolGroupListing> {
  const groups = await listToolGroups(ctx)
  const found = groups.find((group) => group.name === name)
  if (found) return found
  const names = groups.map((group) => group.name)
  throw new NotFoundError(`A tool group named ${name.slice(0, 100)}`, didYouMean(name, names))
}

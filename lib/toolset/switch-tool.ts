import 'server-only'
import { resetToolOverride, setToolOverride } from '@/lib/domains/tool-settings/set-tool-override'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { didYouMean } from '@/lib/kernel/nearest-name'
import { readListings } from './list-tools'
import type { ToolListing } from './tool-listing'

/**
 * Switches a tool on or off for this site, with effect from the next call of any run. A tool that shows raw data
 * needs a reason to be switched on. Admins only.
 */
export async function switchTool(
  ctx: Ctx,
  input: { name: string; enabled: boolean; reason: string },
): Promise<ToolListing> {
  requireRole(ctx, 'admin')
  const tool = await findListing(input.name)
  if (tool.raw && input.enabled && input.reason.trim() === '') {
    throw new ValidationError({
      reason: `${tool.name} shows data that is normally hidden. Say why it is needed.`,
    })
  }
  await setToolOverride(ctx, { toolName: tool.name, enabled: input.enabled, reason: input.reason })
  return findListing(input.name)
}

/** Removes a tool's switch, so that its own default counts again. Admins only. */
export async function resetTool(ctx: Ctx, name: string): Promise<ToolListing> {
  requireRole(ctx, 'admin')
  const tool = await findListing(name)
  await resetToolOverride(ctx, { toolName: tool.name })
  return findListing(name)
}

async function findListing(name: string): Promise<ToolListing> {
  const tools = await readListings()
  const found = tools.find((tool) => tool.name === name)
  if (found) return found
  const names = tools.map((tool) => tool.name)
  throw new NotFoundError(`A tool named ${name.slice(0, 100)}`, didYouMean(name, names))
}

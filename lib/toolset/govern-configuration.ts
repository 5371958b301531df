import 'server-only'
import { readGovernedConfiguration } from '@/lib/domains/configurations/read-governed-configuration'
import type { ConfigurationPolicy } from '@/lib/domains/configurations/schemas'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/update-configuration-policy'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { requireToolGroups } from './require-tool-groups'

/**
 * Changes the policy like `updateConfigurationPolicy`, for tool groups that exist or that it already allows, because a
 * misspelt one would allow less without an error. Admins only.
 */
export async function governConfiguration(
  ctx: Ctx,
  configurationId: string,
  input: ConfigurationPolicy,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  if (input.allowedToolGroups) {
    const { allowedToolGroups } = await readGovernedConfiguration(ctx, configurationId)
    const known = new Set(allowedToolGroups)
    const added = input.allowedToolGroups.filter((name) => !known.has(name))
    await requireToolGroups(ctx, added)
  }
  return updateConfigurationPolicy(ctx, configurationId, input)
}

import 'server-only'
import type { ConfigurationPolicy } from '@/lib/configurations/schemas'
import { updateConfigurationPolicy } from '@/lib/configurations/update-configuration-policy'
import { type Ctx, requireRole } from '@/lib/context'
import { requireToolGroups } from './require-tool-groups'

/** `updateConfigurationPolicy` for groups that exist: a misspelt one would quietly allow less. Admins only. */
export async function governConfiguration(
  ctx: Ctx,
  configurationId: string,
  input: ConfigurationPolicy,
): Promise<boolean> {
  requireRole(ctx, 'admin')
  await requireToolGroups(ctx, input.allowedToolGroups ?? [])
  return updateConfigurationPolicy(ctx, configurationId, input)
}

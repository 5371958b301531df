import 'server-only'
import type { ConfigurationPolicy } from '@/lib/configurations/schemas'
import { updateConfigurationPolicy } from '@/lib/configurations/update-configuration-policy'
import { type Ctx, requireRole } from '@/lib/context'
import { ValidationError } from '@/lib/errors'
import { listToolGroups } from './list-tool-groups'

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

async function requireToolGroups(ctx: Ctx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const known = new Set((await listToolGroups(ctx)).map(({ name }) => name))
  const missing = names.find((name) => !known.has(name))
  if (missing === undefined) return
  throw new ValidationError({
    allowedToolGroups: `There is no tool group "${missing.slice(0, 100)}". The groups are listed under Tools.`,
  })
}

import 'server-only'
import { createConfiguration } from '@/lib/domains/configurations/create-configuration'
import { readEditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import type { CreateConfiguration, UpdateConfiguration } from '@/lib/domains/configurations/schemas'
import {
  type SavedConfiguration,
  updateConfiguration,
} from '@/lib/domains/configurations/update-configuration'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { requireToolGroups } from './require-tool-groups'

/** Creates a configuration like `createConfiguration`, for tool groups that exist. Admins only. */
export async function addConfiguration(
  ctx: Ctx,
  input: CreateConfiguration,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  await requireToolGroups(ctx, input.allowedToolGroups ?? [])
  return createConfiguration(ctx, input)
}

/**
 * Updates a configuration like `updateConfiguration`, for tool groups that exist or that it already allows. Admins
 * only.
 */
export async function editConfiguration(
  ctx: Ctx,
  configurationId: string,
  input: UpdateConfiguration,
): Promise<SavedConfiguration> {
  requireRole(ctx, 'admin')
  const { form } = await readEditableConfiguration(ctx, configurationId)
  const known = new Set(form.allowedToolGroups)
  const added = (input.allowedToolGroups ?? []).filter((name) => !known.has(name))
  await requireToolGroups(ctx, added)
  return updateConfiguration(ctx, configurationId, input)
}

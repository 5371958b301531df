import { allowGroup } from '@/lib/configurations/allow-group'
import { findConfiguration } from '@/lib/configurations/find-configuration'
import { findGroup } from '@/lib/groups/find-group'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'

export type AllowOptions = CommonOptions & { configuration: string; group: string }

/** Opens a configuration to a group, or closes it. */
export async function allowAndPrint(allowed: boolean, options: AllowOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id, identifier } = await findConfiguration(ctx, options.configuration)
  const { id: groupId } = await findGroup(ctx, options.group)
  const changed = await allowGroup(ctx, id, groupId, allowed)
  if (options.json) return printJson({ configurationId: id, groupId, allowed, changed })
  const words = allowed ? 'may use' : 'may not use'
  printLine(`The group ${words} ${identifier}${changed ? '' : ' already'}.`)
}

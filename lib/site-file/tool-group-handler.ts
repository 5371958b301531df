import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { listToolGroupsOff } from '../tool-settings/list-tool-groups-off'
import { switchToolGroup } from '../toolset/switch-tool-group'
import type { Handler } from './handler'
import type { GivenOf } from './site-file'

/** Groups of tools that are switched off; the others are on. */
export const toolGroupHandler: Handler<'toolGroups'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const rows = await listToolGroupsOff(db())
    return rows.map(({ toolGroup, reason }) => ({ name: toolGroup, enabled: false, reason }))
  },
  create: (ctx, given, reason) => write(ctx, given, reason),
  update: (ctx, { given }, reason) => write(ctx, given, reason),
}

async function write(
  ctx: Ctx,
  { name, enabled, reason }: GivenOf<'toolGroups'>,
  why: string,
): Promise<void> {
  await switchToolGroup(ctx, { name, enabled, reason: reason || why })
}

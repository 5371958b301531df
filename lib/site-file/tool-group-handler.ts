import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { listToolGroupsOff } from '../tool-settings/list-tool-groups-off'
import { installedTools } from '../toolset/installed-tools'
import { switchToolGroup } from '../toolset/switch-tool-group'
import type { Handler } from './handler'
import type { GivenOf } from './site-file'

/** Groups of tools that are switched off; the others are on. A group that no tool belongs to any more is left out. */
export const toolGroupHandler: Handler<'toolGroups'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const installed = new Set((await installedTools()).map(({ group }) => group))
    return (await listToolGroupsOff(db()))
      .filter(({ toolGroup }) => installed.has(toolGroup))
      .map(({ toolGroup, reason }) => ({ name: toolGroup, enabled: false, reason }))
  },
  unwritten: ({ name }) => ({ name, enabled: true, reason: '' }),
  becomes: {
    // What is on has none, and what is off has one that is not empty.
    reason: (before, { enabled, reason }) => (enabled ? '' : reason || before.reason),
  },
  work: ({ given }) => {
    const write = (ctx: Ctx, reason: string) => turn(ctx, given, reason)
    return given.enabled ? { finish: write } : { narrow: write }
  },
}

async function turn(
  ctx: Ctx,
  { name, enabled, reason }: GivenOf<'toolGroups'>,
  why: string,
): Promise<void> {
  await switchToolGroup(ctx, { name, enabled, reason: reason || why })
}

import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { listToolOverrides } from '../tool-settings/list-tool-overrides'
import { toolsByName } from '../toolset/installed-tools'
import { switchTool } from '../toolset/switch-tool'
import type { Handler } from './handler'
import type { GivenOf } from './site-file'

/** Tools that an admin switched; the others stand on their own default. A tool that is gone is left out. */
export const toolHandler: Handler<'tools'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const installed = await toolsByName()
    return (await listToolOverrides(db()))
      .filter(({ toolName }) => installed.has(toolName))
      .map(({ toolName, enabled, reason }) => ({ name: toolName, enabled, reason }))
  },
  work: ({ given }) => {
    const write = (ctx: Ctx, reason: string) => turn(ctx, given, reason)
    return given.enabled ? { finish: write } : { narrow: write }
  },
}

async function turn(
  ctx: Ctx,
  { name, enabled, reason }: GivenOf<'tools'>,
  why: string,
): Promise<void> {
  await switchTool(ctx, { name, enabled, reason: reason ?? why })
}

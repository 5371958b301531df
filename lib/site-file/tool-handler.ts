import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { listToolOverrides } from '../tool-settings/list-tool-overrides'
import { switchTool } from '../toolset/switch-tool'
import type { Handler } from './handler'
import type { GivenOf } from './site-file'

/** Tools that an admin switched; the others stand on their own default. */
export const toolHandler: Handler<'tools'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const rows = await listToolOverrides(db())
    return rows.map(({ toolName, enabled, reason }) => ({ name: toolName, enabled, reason }))
  },
  create: (ctx, given, reason) => write(ctx, given, reason),
  update: (ctx, { given }, reason) => write(ctx, given, reason),
}

async function write(
  ctx: Ctx,
  { name, enabled, reason }: GivenOf<'tools'>,
  why: string,
): Promise<void> {
  await switchTool(ctx, { name, enabled, reason: reason ?? why })
}

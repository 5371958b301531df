import { showTool } from '@toolgate/server/toolset/tools/tool-verbs'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the tool that an address names. */
export const findTool = pageObject((ctx, name) => showTool(ctx, { name }))

'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { StartRunInput } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start-run'
import { explainTools } from '@/lib/toolset/explain-tools'
import { toPickable } from './to-pickable'

/** Sets a prompt going and returns at once; the run does not depend on this request or its page. */
export const runPrompt = action(StartRunInput, 'member', startRun)

/** Every tool with what the gates say about it for whoever asks, with this configuration, now. */
export const explainForMe = action(
  z.object({ configuration: z.uuid().nullable() }),
  'member',
  async (ctx, { configuration }) => {
    const tools = await explainTools(ctx, { userId: null, configuration, selected: null })
    return tools.map(toPickable)
  },
)

'use server'
import { connectModel, findModels, undoConnect } from '@toolgate/server/probes/connect-model'
import { toOfferRow } from '@toolgate/server/probes/offer-row'
import { startRun } from '@toolgate/server/runs/start/start-run'
import { explainTools } from '@toolgate/server/toolset/policy/explain-tools'
import { z } from 'zod'
import { action, customAction } from '@/lib/next/action'

/** Returns the models on offer. By hand, because the browser gets only a part of each. */
export const findForMe = customAction(findModels.definition.input, 'admin', async (ctx, input) => {
  const { offers, ...found } = await findModels(ctx, input)
  return { ...found, offers: offers.map(toOfferRow) }
})

export const connect = action(connectModel, { refresh: 'everything' })
export const undo = action(undoConnect, { refresh: 'everything' })

/** Returns the tools with what the gates say for a configuration. By hand, because the browser gets only a part of each. */
export const offeredTools = customAction(
  z.object({ configuration: z.uuid() }),
  'admin',
  async (ctx, { configuration }) => {
    const tools = await explainTools(ctx, { userId: null, configuration, selected: null })
    return tools.map(({ name, verdict }) => ({ name, verdict }))
  },
)

export const runFirstPrompt = action(startRun)

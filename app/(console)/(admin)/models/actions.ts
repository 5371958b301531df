'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import {
  removeModelPrice,
  setModelPrice,
  takeFromCatalogue,
} from '@/lib/domains/models/price-verbs'
import { CreateModel, SetModelPrice, UpdateModel } from '@/lib/domains/models/schemas'
import { LongPromptField, UsdField } from '@/lib/domains/models/usd-field'
import { createModel, deleteModel, updateModel } from '@/lib/domains/models/verbs'
import { previewReprice, repriceRuns } from '@/lib/domains/usage/reprice'
import { action, customAction } from '@/lib/kernel/action'
import { addDiscoveredModels } from '@/lib/probes/discover-models'
import { testToolCalling } from '@/lib/probes/test-tool-calling'

/** Lists, pages of a model and pickers show models. */
const everywhere = { refresh: 'everything' } as const

const Model = z.object({ modelId: z.uuid() })

/** Prices as they were typed, in US dollars. */
const TypedPrices = z.object({
  input: UsdField,
  output: UsdField,
  cachedInput: UsdField,
  cacheWrite: UsdField,
  reasoning: UsdField,
  longPrompt: LongPromptField,
})

export const addModel = customAction(
  CreateModel.omit({ reported: true }).extend({ prices: TypedPrices }),
  'admin',
  async (ctx, input) => {
    const model = await createModel(ctx, input)
    revalidatePath('/', 'layout')
    return model
  },
)

export const changeModel = customAction(
  Model.extend({ change: UpdateModel }),
  'admin',
  async (ctx, { modelId, change }) => {
    await updateModel(ctx, { id: modelId, ...change })
    revalidatePath('/', 'layout')
  },
)

export const switchModel = action(updateModel, everywhere)
export const removeModel = action(deleteModel, everywhere)

export const setPrice = customAction(
  SetModelPrice.extend({ ...Model.shape, prices: TypedPrices }),
  'admin',
  async (ctx, { modelId, ...input }) => {
    const stored = await setModelPrice(ctx, { id: modelId, ...input })
    revalidatePath('/', 'layout')
    return stored
  },
)

export const removePrice = action(removeModelPrice, everywhere)
export const takeOver = action(takeFromCatalogue, everywhere)
export const testTools = action(testToolCalling, everywhere)
export const addOffered = action(addDiscoveredModels, everywhere)

export const previewCosts = action(previewReprice)
export const repriceBatch = action(repriceRuns)

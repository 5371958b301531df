'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { createModel } from '@/lib/domains/models/create-model'
import { deleteModel } from '@/lib/domains/models/delete-model'
import { removeModelPrice } from '@/lib/domains/models/remove-model-price'
import {
  CreateModel,
  SetModelEnabled,
  SetModelPrice,
  UpdateModel,
} from '@/lib/domains/models/schemas'
import { setModelEnabled } from '@/lib/domains/models/set-model-enabled'
import { setModelPrice } from '@/lib/domains/models/set-model-price'
import { takeFromCatalogue } from '@/lib/domains/models/take-from-catalogue'
import { updateModel } from '@/lib/domains/models/update-model'
import { LongPromptField, UsdField } from '@/lib/domains/models/usd-field'
import { previewReprice } from '@/lib/domains/usage/preview-reprice'
import { RepriceRuns, repriceRuns } from '@/lib/domains/usage/reprice-runs'
import { customAction } from '@/lib/kernel/action'
import { addDiscoveredModels } from '@/lib/probes/discover-models'
import { testToolCalling } from '@/lib/probes/test-tool-calling'

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

const fresh = () => revalidatePath('/models', 'layout')

export const addModel = customAction(
  CreateModel.omit({ reported: true }).extend({ prices: TypedPrices }),
  'admin',
  async (ctx, input) => {
    const model = await createModel(ctx, input)
    fresh()
    return model
  },
)

export const changeModel = customAction(
  Model.extend({ change: UpdateModel }),
  'admin',
  async (ctx, { modelId, change }) => {
    await updateModel(ctx, modelId, change)
    fresh()
  },
)

export const switchModel = customAction(
  Model.extend(SetModelEnabled.shape),
  'admin',
  async (ctx, { modelId, ...input }) => {
    await setModelEnabled(ctx, modelId, input)
    fresh()
  },
)

export const removeModel = customAction(
  Model.extend(WithReason.shape),
  'admin',
  async (ctx, { modelId, reason }) => {
    await deleteModel(ctx, modelId, { reason })
    fresh()
  },
)

export const setPrice = customAction(
  Model.extend(SetModelPrice.shape).extend({ prices: TypedPrices }),
  'admin',
  async (ctx, { modelId, ...input }) => {
    const stored = await setModelPrice(ctx, modelId, input)
    fresh()
    return stored
  },
)

export const removePrice = customAction(
  Model.extend({ priceId: z.uuid() }).extend(WithReason.shape),
  'admin',
  async (ctx, { modelId, priceId, reason }) => {
    await removeModelPrice(ctx, modelId, priceId, { reason })
    fresh()
  },
)

export const takeOver = customAction(
  Model.extend({ part: z.enum(['facts', 'prices']) }),
  'admin',
  async (ctx, { modelId, part }) => {
    await takeFromCatalogue(ctx, modelId, part)
    fresh()
  },
)

export const testTools = customAction(Model, 'admin', async (ctx, { modelId }) => {
  const result = await testToolCalling(ctx, modelId)
  fresh()
  return result
})

export const previewCosts = customAction(Model, 'admin', (ctx, { modelId }) =>
  previewReprice(ctx, modelId),
)

export const repriceBatch = customAction(RepriceRuns, 'admin', repriceRuns)

export const addOffered = customAction(
  z.object({
    connectionId: z.uuid(),
    modelIds: z
      .array(z.string().max(200))
      .min(1, 'Pick at least one model.')
      .max(200, 'Add at most 200 models at a time.'),
  }),
  'admin',
  async (ctx, { connectionId, modelIds }) => {
    const added = await addDiscoveredModels(ctx, connectionId, modelIds)
    fresh()
    return added
  },
)

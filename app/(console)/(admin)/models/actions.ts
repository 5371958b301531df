'use server'
import {
  removeModelPrice,
  setModelPrice,
  takeFromCatalogue,
} from '@toolgate/server/domains/models/price-verbs'
import { createModel, deleteModel, updateModel } from '@toolgate/server/domains/models/verbs'
import { previewReprice, repriceRuns } from '@toolgate/server/domains/usage/reprice'
import { addDiscoveredModels } from '@toolgate/server/probes/discover-models'
import { testToolCalling } from '@toolgate/server/probes/test-tool-calling'
import { action } from '@/lib/next/action'

/** A model is shown on its page, in lists and in pickers, so a change refreshes every page. */
const everywhere = { refresh: 'everything' } as const

export const addModel = action(createModel, everywhere)
export const changeModel = action(updateModel, everywhere)
export const removeModel = action(deleteModel, everywhere)

export const setPrice = action(setModelPrice, everywhere)
export const removePrice = action(removeModelPrice, everywhere)
export const takeOver = action(takeFromCatalogue, everywhere)
export const testTools = action(testToolCalling, everywhere)
export const addOffered = action(addDiscoveredModels, everywhere)

export const previewCosts = action(previewReprice)
export const repriceBatch = action(repriceRuns)

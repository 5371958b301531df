'use server'
import {
  removeModelPrice,
  setModelPrice,
  takeFromCatalogue,
} from '@/lib/domains/models/price-verbs'
import { createModel, deleteModel, updateModel } from '@/lib/domains/models/verbs'
import { previewReprice, repriceRuns } from '@/lib/domains/usage/reprice'
import { action } from '@/lib/next/action'
import { addDiscoveredModels } from '@/lib/probes/discover-models'
import { testToolCalling } from '@/lib/probes/test-tool-calling'

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

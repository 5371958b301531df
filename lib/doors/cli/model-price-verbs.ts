import { readModel } from '@/lib/domains/models/read-model'
import { setModelPrice } from '@/lib/domains/models/set-model-price'
import { takeFromCatalogue } from '@/lib/domains/models/take-from-catalogue'
import { previewReprice, type RepricePreview } from '@/lib/domains/usage/preview-reprice'
import { repriceRuns } from '@/lib/domains/usage/reprice-runs'
import type { Ctx } from '@/lib/kernel/context'
import { countOf, formatCostMicroUsd } from '@/lib/protocol/format'
import { actingCtx } from './acting-ctx'
import {
  type GivenPrices,
  type ModelChoice,
  pickModel,
  pricesGiven,
  pricesText,
} from './model-options'
import { printJson, printLine } from './print'

export type PriceOptions = ModelChoice &
  GivenPrices & { from?: string; fromCatalogue?: boolean; source?: string; recompute?: boolean }
export type RecomputeOptions = ModelChoice & { plan?: boolean }

export async function priceAndPrint(name: string, options: PriceOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await pickModel(ctx, name, options)
  if (options.fromCatalogue) await takeFromCatalogue(ctx, id, 'prices')
  else {
    const { from = null, source } = options
    await setModelPrice(ctx, id, { validFrom: from, prices: pricesGiven(options), source })
  }
  const { prices, history } = await readModel(ctx, id)
  const recomputed = options.recompute ? await recompute(ctx, id, options) : null
  if (options.json) return printJson({ id, prices, history, recomputed })
  printLine(`Set the prices: ${pricesText(prices)}.`)
  if (recomputed !== null) return printLine(`Recomputed ${countOf(recomputed, 'run')}.`)
  const preview = await previewReprice(ctx, id)
  if (preview.runs > 0) {
    printLine(
      `${countOf(preview.runs, 'past run')} would get a different cost. To recompute: toolgate model recompute ${id}`,
    )
  }
}

export async function recomputeAndPrint(name: string, options: RecomputeOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await pickModel(ctx, name, options)
  const preview = await previewReprice(ctx, id)
  if (!options.json) printPreview(preview)
  const recomputed = options.plan ? 0 : await recompute(ctx, id, options)
  if (options.json) return printJson({ id, preview, recomputed })
  if (!options.plan) printLine(`Recomputed ${countOf(recomputed, 'run')}.`)
}

function printPreview(preview: RepricePreview): void {
  const { runs, calls, runsInFlight } = preview
  const before = sumText(preview.beforeMicroUsd, preview.beforeUnpriced)
  const after = sumText(preview.afterMicroUsd, preview.afterUnpriced)
  printLine(
    `${countOf(calls, 'call')} of ${countOf(runs, 'past run')}: their cost would be ${after} instead of ${before}.`,
  )
  if (runsInFlight > 0)
    printLine(`${countOf(runsInFlight, 'active run was', 'active runs were')} not recomputed.`)
}

function sumText(microUsd: number, unpricedCalls: number): string {
  const sum = formatCostMicroUsd(microUsd)
  return unpricedCalls === 0 ? sum : `${sum} (and ${countOf(unpricedCalls, 'call')} unpriced)`
}

/** Batch after batch; how many runs were changed. */
async function recompute(ctx: Ctx, modelId: string, { json }: ModelChoice): Promise<number> {
  let runs = 0
  for (let after: string | null = null, going = true; going; going = after !== null) {
    const batch = await repriceRuns(ctx, { modelId, after })
    runs += batch.runs
    after = batch.next
    if (!json && after !== null) printLine(`Recomputed ${countOf(runs, 'run')} so far.`)
  }
  return runs
}

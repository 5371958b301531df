import { findConnection } from '@/lib/domains/connections/find-connection'
import { addDiscoveredModels, discoverModels } from '@/lib/probes/discover-models'
import { testToolCalling } from '@/lib/probes/test-tool-calling'
import { countOf, formatCostMicroUsd, formatTokens } from '@/lib/protocol/format'
import { startEngine } from '@/lib/runs/engine/start-engine'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { type ModelChoice, pickModel, priceText } from './model-options'
import { printJson, printLine, printTable } from './print'

export type DiscoverOptions = CommonOptions & { add?: string[] }

export async function discoverAndPrint(name: string, options: DiscoverOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, name)
  if (options.add) {
    const added = await addDiscoveredModels(ctx, id, options.add)
    if (options.json) return printJson(added)
    printLine(`Added ${countOf(added.ids.length, 'model')}.`)
    if (added.missing.length > 0)
      printLine(`The provider does not offer: ${added.missing.join(', ')}`)
    return
  }
  const offers = await discoverModels(ctx, id)
  if (options.json) return printJson(offers)
  printTable(
    ['MODEL', 'CONTEXT', 'MAX OUTPUT', 'TOOLS', 'INPUT PRICE', 'OUTPUT PRICE', 'ADDED'],
    offers.map((offer) => [
      offer.modelId,
      String(offer.contextTokens ?? offer.catalogue?.contextTokens ?? 'unknown'),
      String(offer.maxOutputTokens ?? offer.catalogue?.maxOutputTokens ?? 'unknown'),
      offer.toolCalling === 'unconfirmed' && offer.catalogue
        ? `${offer.catalogue.toolCalling} (catalogue)`
        : offer.toolCalling,
      priceText(offer.catalogue?.prices?.input ?? null),
      priceText(offer.catalogue?.prices?.output ?? null),
      offer.here ? 'yes' : 'no',
    ]),
  )
}

/** The exit code: 0 when the model called the tool, 1 when it did not or nothing was shown. */
export async function testAndPrint(name: string, options: ModelChoice): Promise<number> {
  const ctx = await actingCtx(options.as)
  const { id } = await pickModel(ctx, name, options)
  const engine = await startEngine('cli')
  const tested = await testToolCalling(ctx, id).finally(() => engine.close())
  const { outcome, message, usage, costMicroUsd, runId } = tested
  if (options.json) printJson({ id, ...tested })
  else {
    printLine(`${outcome}: ${message}`)
    if (usage) {
      const tokens = `${formatTokens(usage.inputTokens)} in, ${formatTokens(usage.outputTokens)} out`
      printLine(`${tokens}, ${formatCostMicroUsd(costMicroUsd)}. Run ${runId}.`)
    }
  }
  return outcome === 'confirmed' ? 0 : 1
}

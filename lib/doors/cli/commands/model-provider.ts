import type { Command } from 'commander'
import { Capability, modelShape } from '@/lib/domains/models/shape'
import { nameList } from '@/lib/doors/cli/input/common-options'
import { type ModelOffer, newModelOf } from '@/lib/probes/new-model-of'
import { countOf, formatCostMicroUsd, formatTokens, inSentence } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'
import { type ModelChoice, modelArgument, priceText, toolsOf, withConnection } from './model-prices'

export function addModelProviderCommands(model: Command): void {
  command<{ add?: string[] }>(model, 'discover', {
    description: 'list the models a provider offers, and add some',
    args: { '<connection>': 'name or id of the connection' },
    options: (made) =>
      made.option('--add <ids>', 'add these models, separated by commas', nameList),
    work: async ({ ctx, args: [name = ''], options: { add } }) => {
      const { findConnection } = await import('@/lib/domains/connections/reads')
      const { addDiscoveredModels, discoverModels } = await import('@/lib/probes/discover-models')
      const { id: connectionId } = await findConnection(ctx, name)
      if (!add) {
        const offers = await discoverModels(ctx, { connectionId })
        return { json: offers, text: () => printOffers(offers) }
      }
      const added = await addDiscoveredModels(ctx, { connectionId, modelIds: add })
      return {
        json: added,
        text: () => {
          printLine(`Added ${countOf(added.ids.length, 'model')}.`)
          if (added.missing.length > 0)
            printLine(`The provider does not offer: ${added.missing.join(', ')}`)
        },
      }
    },
  })
  command<ModelChoice>(model, 'test', {
    description:
      'test with one real request whether a model calls tools; exit code 1 if it does not',
    args: modelArgument,
    options: withConnection,
    work: async ({ ctx, args: [name = ''], options: { connection } }) => {
      const { findModel } = await import('@/lib/domains/models/reads')
      const { testToolCalling } = await import('@/lib/probes/test-tool-calling')
      const { startEngine } = await import('@/lib/runs/engine/start-engine')
      const { id } = await findModel(ctx, name, connection)
      const engine = await startEngine('cli')
      const tested = await testToolCalling(ctx, { id }).finally(() => engine.close())
      const { outcome, message, usage, costMicroUsd, runId } = tested
      return {
        json: { id, ...tested },
        text: () => {
          printLine(`${outcome}: ${message}`)
          if (!usage) return
          const tokens = `${formatTokens(usage.inputTokens)} in, ${formatTokens(usage.outputTokens)} out`
          printLine(`${tokens}, ${formatCostMicroUsd(costMicroUsd)}. Run ${runId}.`)
        },
        exitCode: outcome === 'confirmed' ? 0 : 1,
      }
    },
  })
}

function printOffers(offers: ModelOffer[]): void {
  printTable(
    ['MODEL', 'CONTEXT', 'MAX OUTPUT', 'TOOLS', 'CAN', 'INPUT PRICE', 'OUTPUT PRICE', 'ADDED'],
    offers.map((offer) => {
      const { contextTokens, maxOutputTokens, prices } = factsOf(offer)
      return [
        offer.modelId,
        String(contextTokens ?? 'unknown'),
        String(maxOutputTokens ?? 'unknown'),
        offeredTools(offer),
        abilities(factsOf(offer)),
        priceText(prices?.input ?? null),
        priceText(prices?.output ?? null),
        offer.here ? 'yes' : 'no',
      ]
    }),
  )
}

/** Returns what is stored of an added model, and otherwise what adding it would store. */
function factsOf(offer: ModelOffer) {
  return offer.here ?? newModelOf(offer)
}

function offeredTools(offer: ModelOffer): string {
  if (offer.here) return toolsOf(offer.here)
  return offer.toolCalling === 'unconfirmed' && offer.catalogue
    ? `${offer.catalogue.toolCalling} (catalogue)`
    : offer.toolCalling
}

function abilities(facts: ReturnType<typeof factsOf>): string {
  const names = Capability.options.filter((name) => facts[name] === true)
  return names.map((name) => inSentence(modelShape[name].label)).join(', ') || 'unknown'
}

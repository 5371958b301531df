import {
  authorityAddress,
  type ConnectionAddress,
  wireAddress,
} from '@/lib/domains/connections/shared/wire-address'
import type { Wire } from '@/lib/domains/rows/column-names'
import type { Prices } from '@/lib/protocol/cost/money'
import amazonBedrock from './amazon-bedrock.json'
import anthropic from './anthropic.json'
import { readCatalogueFile } from './catalogue-file'
import deepseek from './deepseek.json'
import type { CatalogueEntry, CatalogueProvider } from './entry'
import google from './google.json'
import groq from './groq.json'
import mistral from './mistral.json'
import openai from './openai.json'
import xai from './xai.json'

/** Facts that were read somewhere, each with its source and day. Nothing of it is applied by itself. */
export const catalogue: readonly CatalogueProvider[] = [
  openai,
  anthropic,
  google,
  mistral,
  groq,
  deepseek,
  xai,
  amazonBedrock,
].map(readCatalogueFile)

const dated = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/

/**
 * Returns the catalogue's entry of a model; null = none. Only for providers' own addresses: behind a gateway the same
 * id may have other limits and is billed by somebody else.
 */
export function findInCatalogue({
  wire,
  baseUrl,
  modelId,
}: {
  wire: Wire
  baseUrl: string | null
  modelId: string
}): CatalogueEntry | null {
  const hostname = hostOf(wire, baseUrl)
  const provider = catalogue.find(({ host }) => host === hostname)
  // Google lists its models as "models/gemini-…", on Vertex AI with their publisher in front.
  const id = modelId.replace(/^(?:publishers\/google\/)?models\//, '')
  const isNamed = ({ id: own, aliases }: CatalogueEntry, name: string) =>
    own === name || aliases.includes(name)
  const found =
    provider?.models.find((each) => isNamed(each, id)) ??
    provider?.models.find((each) => isNamed(each, id.replace(dated, '')))
  if (!found) return null
  // Prices and notes that were read are those of the Gemini API; regions of Vertex AI have their own.
  return baseUrl !== null && vertex.test(baseUrl)
    ? { ...found, prices: null, longPrompts: null, note: null }
    : found
}

/**
 * Returns the price of the model with this id at the provider that makes it, as a guess for any other server, with that
 * provider's name; null = none is known.
 */
export function guessPrice(modelId: string): { prices: Prices; from: string } | null {
  const id = modelId.replace(/^.*\//, '').toLowerCase()
  for (const { name, models } of catalogue) {
    const found = models.find(
      (each) =>
        each.prices !== null &&
        [each.id, ...each.aliases].some((own) => own === id || own === id.replace(dated, '')),
    )
    if (found?.prices) return { prices: found.prices, from: name }
  }
  return null
}

const vertex = /^https:\/\/(?:[a-z0-9-]+-)?aiplatform(?:\.[a-z]{2}\.rep)?\.googleapis\.com(?=\/|$)/

/** Returns the address by which a connection's models are looked up. Vertex AI has another one than Gemini. */
export function catalogueAddress({ wire, baseUrl, settings }: ConnectionAddress): string | null {
  return wire === 'gemini' && authorityAddress({ wire, settings }) !== null
    ? (baseUrl ?? wireAddress({ wire, settings }))
    : baseUrl
}

/** Returns the host for the comparison. Amazon and Google have a host per region with the same models. */
function hostOf(wire: Wire, baseUrl: string | null): string | null {
  if (wire === 'bedrock' && baseUrl === null) return 'bedrock-runtime.amazonaws.com'
  const address = baseUrl ?? wireAddress({ wire, settings: {} })
  if (address === null || !URL.canParse(address)) return null
  if (wire === 'gemini' && vertex.test(address)) return 'generativelanguage.googleapis.com'
  return new URL(address).hostname.replace(
    /^bedrock-runtime\.[a-z0-9-]+\.amazonaws\.com$/,
    'bedrock-runtime.amazonaws.com',
  )
}

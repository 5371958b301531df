import { cleanText } from '@/lib/protocol/clean-text'
import type { DiscoveredModel } from './discovered-model'

/** No window is near this; what is above it is a fault, not a fact. */
const mostTokens = 100_000_000

const longestId = 200
const longestName = 100

/** The first of some reported values that is a count of tokens; null when none is. */
export function tokensOf(...values: unknown[]): number | null {
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) continue
    if (value > 0 && value <= mostTokens) return value
  }
  return null
}

export function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** A model of which only its name is known; null when its id is not one that could be sent back. */
export function unknownModel(modelId: unknown, name: unknown): DiscoveredModel | null {
  if (typeof modelId !== 'string' || !isUsableId(modelId)) return null
  return {
    modelId,
    displayName: nameOf(name) || modelId,
    contextTokens: null,
    maxOutputTokens: null,
    toolCalling: 'unconfirmed',
    structuredOutput: null,
    vision: null,
    reasoning: null,
  }
}

function isUsableId(id: string): boolean {
  return id !== '' && id.length <= longestId && id.trim() === id && cleanText(id) === id
}

function nameOf(name: unknown): string {
  if (typeof name !== 'string') return ''
  return cleanText(name).replace(/\s+/g, ' ').trim().slice(0, longestName).toWellFormed()
}

const reported = { true: 'confirmed', false: 'unsupported', null: 'unconfirmed' } as const

/** What a provider's yes, no or silence about tools says. */
export function toolCallingOf(value: boolean | null): DiscoveredModel['toolCalling'] {
  return reported[`${value}`]
}

const noChat =
  /embed|whisper|\btts\b|dall-e|moderation|davinci|babbage|realtime|transcribe|gpt-audio|audio-preview|gpt-image|image-\d|\bsora\b|\brerank|-instruct-\d{4}$|3\.5-turbo-instruct|deep-research|computer-use|\bocr\b/i

/** False for ids that plainly name something else than a model one talks to. */
export function isChatModel(modelId: string): boolean {
  return !noChat.test(modelId)
}

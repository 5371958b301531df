import type { CreateModel } from '@/lib/models/schemas'
import { unpriced } from '@/lib/protocol/cost'

/** Facts about one model a provider offers; prices are micro-USD per million tokens. */
export type KnownModel = Omit<CreateModel, 'connectionId'>

/** developers.openai.com/api/docs/models/gpt-5.4-mini, read in November 2026. Cache writes are not billed. */
export const openaiModel: KnownModel = {
  modelId: 'gpt-5.4-mini',
  displayName: 'GPT-5.4 mini',
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  toolCalling: 'confirmed',
  prices: { ...unpriced, input: 750_000, cachedInput: 75_000, output: 4_500_000 },
}

/** platform.claude.com/docs/en/models/sonnet-5-5/overview, read in November 2026; 5-minute cache writes. */
export const anthropicModel: KnownModel = {
  modelId: 'claude-sonnet-5-5',
  displayName: 'Claude Sonnet 5.5',
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  toolCalling: 'confirmed',
  prices: {
    ...unpriced,
    input: 2_000_000,
    cachedInput: 200_000,
    cacheWrite: 2_500_000,
    output: 10_000_000,
  },
}

/** Nothing to pay and nothing intelligent: rules that read the offer and the prompt. */
export const demoRules: KnownModel = {
  modelId: 'demo-rules',
  displayName: 'Rule-based stand-in (not a model)',
  contextTokens: null,
  maxOutputTokens: null,
  toolCalling: 'confirmed',
  prices: { input: 0, output: 0, cachedInput: 0, cacheWrite: 0, reasoning: 0 },
}

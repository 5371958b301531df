import { expect, test } from 'vitest'
import { unpriced } from '@/lib/protocol/cost/cost'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import { modelTarget } from '@/tests/support/run-fixture'
import { noPriceWords, pricesFor } from './model-families'
import type { ModelTarget } from './model-target'
import { fieldsSetByUs } from './own-body-fields'

const target = modelTarget()
const { prices } = target
const extraBody = null

test.each([null, 'auto', 'default', 'standard', 'standard_only', 'flex', 'Batch', 'on_demand'])(
  'the tier %s costs what the model costs',
  (serviceTier) => {
    expect(pricesFor(target, { serviceTier, extraBody })).toEqual({ prices })
  },
)

test.each(['priority', 'Fast', 'scale', 'auto2', ''])(
  'no price is known of the tier "%s"',
  (tier) => {
    const request = pricesFor(target, { serviceTier: tier, extraBody })
    expect(request).toEqual({ prices: unpriced, unpricedTier: tier })
    expect(noPriceWords(request).fault).toBe(`has no price in the service tier ${tier}`)
  },
)

test('a tier that is not sent changes nothing', () => {
  const input = { serviceTier: 'priority', extraBody }
  const refuses = modelTarget({ unsupportedParameters: ['serviceTier'] })
  expect(pricesFor(refuses, input)).toEqual({ prices })
  expect(pricesFor(modelTarget({ wire: 'ollama' }), input)).toEqual({ prices })
  expect(noPriceWords(target).fault).toBe('has no price')
})

type Decision = 'costs what is listed' | 'unpriced' | 'refused'

/**
 * Fields with a possible price of their own, from the official types (Anthropic 2026-10, OpenAI 6, AWS 3.1162, Google
 * 2.32) and the documentation of gateways, without those that Toolgate sets.
 */
test.each<[ModelTarget['wire'], JsonObject, Decision]>([
  ['anthropic', { inference_geo: 'us' }, 'unpriced'],
  ['anthropic', { inference_geo: 'eu' }, 'unpriced'],
  ['anthropic', { inference_geo: 'global' }, 'costs what is listed'],
  ['anthropic', { inference_geo: null }, 'costs what is listed'],
  ['anthropic', { speed: 'fast' }, 'refused'],
  ['anthropic', { service_tier: 'priority' }, 'refused'],
  ['anthropic', { mcp_servers: [] }, 'refused'],
  ['anthropic', { container: 'c' }, 'refused'],
  ['anthropic', { fallbacks: 'default' }, 'refused'],
  ['anthropic', { cache_control: { type: 'ephemeral', ttl: '1h' } }, 'refused'],
  ['anthropic', { context_management: {} }, 'refused'],
  ['anthropic', { metadata: { user_id: 'u' } }, 'costs what is listed'],
  ['bedrock', { performanceConfig: { latency: 'optimized' } }, 'unpriced'],
  ['bedrock', { performanceConfig: { latency: 'standard' } }, 'costs what is listed'],
  ['bedrock', { guardrailConfig: { guardrailIdentifier: 'g' } }, 'unpriced'],
  ['bedrock', { additionalModelRequestFields: { inference_geo: 'us' } }, 'unpriced'],
  ['bedrock', { additionalModelRequestFields: { speed: 'fast' } }, 'refused'],
  ['bedrock', { additionalModelRequestFields: { top_k: 5 } }, 'costs what is listed'],
  ['bedrock', { serviceTier: { type: 'priority' } }, 'refused'],
  ['bedrock', { requestMetadata: { team: 'a' } }, 'costs what is listed'],
  ['openai', { reasoning: { mode: 'pro' } }, 'unpriced'],
  ['openai', { reasoning: { mode: 'standard', context: 'auto' } }, 'costs what is listed'],
  ['openai', { service_tier: 'priority' }, 'refused'],
  ['openai', { background: true }, 'refused'],
  ['openai', { prompt_cache_retention: '24h' }, 'costs what is listed'],
  ['openai', { prompt_cache_options: { mode: 'explicit' } }, 'costs what is listed'],
  ['openai', { moderation: { model: 'omni-moderation-latest' } }, 'costs what is listed'],
  ['azure-openai', { reasoning: { mode: 'pro' } }, 'unpriced'],
  ['azure-openai', { data_sources: [] }, 'refused'],
  ['gemini', { serviceTier: 'priority' }, 'refused'],
  ['gemini', { service_tier: 'priority' }, 'refused'],
  ['gemini', { modelArmorConfig: { promptTemplateName: 't' } }, 'unpriced'],
  ['gemini', { model_armor_config: { prompt_template_name: 't' } }, 'unpriced'],
  ['gemini', { cachedContent: 'c' }, 'refused'],
  ['gemini', { generationConfig: { routingConfig: {} } }, 'refused'],
  ['gemini', { generationConfig: { responseFormat: [] } }, 'refused'],
  ['gemini', { safetySettings: [] }, 'costs what is listed'],
  ['openai-compatible', { provider: { order: ['a'] } }, 'unpriced'],
  ['openai-compatible', { provider: null }, 'costs what is listed'],
  ['openai-compatible', { plugins: [{ id: 'web' }] }, 'refused'],
  ['openai-compatible', { models: ['other'] }, 'refused'],
  ['openai-compatible', { speed: 'fast' }, 'refused'],
  ['openai-compatible', { enable_search: true }, 'refused'],
  ['openai-compatible', { inference_geo: 'us' }, 'unpriced'],
  ['openai-compatible', { cache_control: { type: 'ephemeral', ttl: '1h' } }, 'unpriced'],
  ['openai-compatible', { cache_control: { type: 'ephemeral' } }, 'costs what is listed'],
  ['openai-compatible', { extra_body: { google: { cached_content: 'c' } } }, 'refused'],
  ['openai-compatible', { safe_prompt: true }, 'costs what is listed'],
  ['ollama', { keep_alive: '5m' }, 'costs what is listed'],
])('%s with %j: %s', (wire, input, decision) => {
  const target = modelTarget({ wire })
  const found = fieldsSetByUs(wire, input)
  const tiered = pricesFor(target, { serviceTier: null, extraBody: input })
  expect(found.length > 0).toBe(decision === 'refused')
  if (decision !== 'unpriced') expect(tiered).toEqual({ prices })
  else {
    expect(tiered).toEqual({ prices: unpriced, unpricedField: expect.any(String) })
    expect(noPriceWords(tiered)).toEqual({
      fault: `has no price with the extra body field ${tiered.unpricedField}`,
      cure: `remove ${tiered.unpricedField} from the configuration’s extra body fields`,
    })
  }
})

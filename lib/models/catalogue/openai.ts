import { type CatalogueProvider, entry, modelsDev } from './entry'

const official = (id: string) => `https://developers.openai.com/api/docs/models/${id}`

const gpt = {
  toolCalling: 'confirmed',
  structuredOutput: true,
  vision: true,
  reasoning: true,
  maxOutputTokens: 128_000,
} as const

const fixedTemperature = { ...gpt, unsupportedParameters: ['temperature' as const] }
const wide = { ...fixedTemperature, contextTokens: 1_050_000 }
const narrow = { ...fixedTemperature, contextTokens: 400_000 }

const longPrompts =
  'Prompts of more than 272,000 tokens cost twice as much per input token and 1.5 times as much per output token.'

/** Cache writes are billed from GPT-6 on; before that a prompt that is cached costs what it costs anyway. */
export const openai: CatalogueProvider = {
  name: 'OpenAI',
  host: 'api.openai.com',
  models: [
    entry('gpt-6-astra', 'GPT-6 Astra', {
      ...wide,
      usd: { input: '10.00', output: '50.00', cachedInput: '1.00', cacheWrite: '12.50' },
      note: longPrompts,
      sources: [
        modelsDev(
          'e2f67ad689b593eca60f55be618a3f438468cc43',
          'providers/openai/models/gpt-6-astra.toml',
        ),
        modelsDev('6cec76d0d5a530cceef297f6fda10ed0e5f8551a', 'models/openai/gpt-6-astra.toml'),
      ],
    }),
    entry('gpt-6-sol', 'GPT-6 Sol', {
      ...wide,
      usd: { input: '2', output: '10', cachedInput: '0.20', cacheWrite: '2.50' },
      note: longPrompts,
      sources: [
        'https://github.com/merefield/codexometer/releases/tag/v0.18.4',
        modelsDev('eac64550b692eb4a6a45cfb50c524e4569764aa4', 'models/openai/gpt-6-sol.toml'),
      ],
    }),
    entry('gpt-6-luna', 'GPT-6 Luna', {
      ...wide,
      usd: { input: '0.10', output: '0.50', cachedInput: '0.01', cacheWrite: '0.125' },
      note: longPrompts,
      sources: [
        'https://github.com/merefield/codexometer/releases/tag/v0.18.4',
        modelsDev('eac64550b692eb4a6a45cfb50c524e4569764aa4', 'models/openai/gpt-6-luna.toml'),
      ],
    }),
    entry('gpt-5.6-sol', 'GPT-5.6 Sol', {
      ...wide,
      aliases: ['gpt-5.6'],
      note: 'Its price changed several times and sources differ: look at the price list of the provider.',
      sources: [
        modelsDev('89b873ed9e9c2420f7d2c972c9d051ad223e8096', 'models/openai/gpt-5.6-sol.toml'),
      ],
    }),
    entry('gpt-5.6-terra', 'GPT-5.6 Terra', {
      ...wide,
      usd: { input: '2.00', output: '12.00', cachedInput: '0.20' },
      note: longPrompts,
      sources: [
        'https://docs.laozhang.ai/en/announcements/gpt-5-6-pricing-2026-07.md',
        modelsDev(
          '89b873ed9e9c2420f7d2c972c9d051ad223e8096',
          'providers/openai/models/gpt-5.6-terra.toml',
        ),
      ],
    }),
    entry('gpt-5.6-luna', 'GPT-5.6 Luna', {
      ...wide,
      usd: { input: '0.20', output: '1.20', cachedInput: '0.02' },
      note: longPrompts,
      sources: [
        'https://docs.laozhang.ai/en/announcements/gpt-5-6-pricing-2026-07.md',
        modelsDev(
          '89b873ed9e9c2420f7d2c972c9d051ad223e8096',
          'providers/openai/models/gpt-5.6-luna.toml',
        ),
      ],
    }),
    entry('gpt-5.5', 'GPT-5.5', {
      ...wide,
      usd: { input: '5.00', output: '30.00', cachedInput: '0.50' },
      note: longPrompts,
      sources: [
        modelsDev(
          '2593e131a1e02e1c69412c50b233986e2ab433e4',
          'providers/openai/models/gpt-5.5.toml',
        ),
      ],
    }),
    entry('gpt-5.4', 'GPT-5.4', {
      ...wide,
      usd: { input: '2.50', output: '15.00', cachedInput: '0.25' },
      note: longPrompts,
      sources: [
        modelsDev(
          '137b27cbedeeb0f394f8bb9373cd37e2fc2b247b',
          'providers/openai/models/gpt-5.4.toml',
        ),
      ],
    }),
    entry('gpt-5.4-mini', 'GPT-5.4 mini', {
      ...gpt,
      contextTokens: 400_000,
      usd: { input: '0.75', output: '4.50', cachedInput: '0.075' },
      sources: [official('gpt-5.4-mini'), 'https://benchlm.ai/blog/posts/openai-api-pricing'],
    }),
    entry('gpt-5.4-nano', 'GPT-5.4 nano', {
      ...gpt,
      contextTokens: 400_000,
      usd: { input: '0.20', output: '1.25', cachedInput: '0.02' },
      sources: [official('gpt-5.4-nano')],
    }),
    entry('gpt-5.2', 'GPT-5.2', {
      ...narrow,
      usd: { input: '1.75', output: '14.00', cachedInput: '0.175' },
      sources: [
        modelsDev(
          'ecee1e6258445b5bc7b6159247fba74257b7f28e',
          'providers/openai/models/gpt-5.2.toml',
        ),
      ],
    }),
    entry('gpt-5.1', 'GPT-5.1', {
      ...narrow,
      usd: { input: '1.25', output: '10.00', cachedInput: '0.125' },
      sources: [
        modelsDev(
          '0760ceffd3e02115e6480d9a0be7992c330c2f35',
          'providers/openai/models/gpt-5.1.toml',
        ),
      ],
    }),
    entry('gpt-5-mini', 'GPT-5 mini', {
      ...narrow,
      usd: { input: '0.25', output: '2.00', cachedInput: '0.025' },
      sources: [
        modelsDev(
          '8734c00cd030e035b6aa2ebd3cf9ec98b54026bf',
          'providers/openai/models/gpt-5-mini.toml',
        ),
      ],
    }),
    entry('gpt-5-nano', 'GPT-5 nano', {
      ...narrow,
      usd: { input: '0.05', output: '0.40', cachedInput: '0.005' },
      sources: [
        modelsDev(
          '0760ceffd3e02115e6480d9a0be7992c330c2f35',
          'providers/openai/models/gpt-5-nano.toml',
        ),
      ],
    }),
  ],
}

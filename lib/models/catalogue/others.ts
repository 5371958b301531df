import { type CatalogueProvider, entry, modelsDev } from './entry'

const tools = { toolCalling: 'confirmed' } as const

export const mistral: CatalogueProvider = {
  name: 'Mistral',
  host: 'api.mistral.ai',
  models: [
    entry('mistral-large-4-0', 'Mistral Large 4', {
      ...tools,
      aliases: ['mistral-large-4'],
      structuredOutput: true,
      vision: true,
      reasoning: true,
      usd: { input: '0.68', output: '2.09', cachedInput: '0.07' },
      note: 'This is the price of the public preview. It is half the list price ($1.36 in, $4.18 out).',
      sources: [
        modelsDev(
          'd89d7764783b9837c6f77ce0dd2bef914526d47d',
          'providers/mistral/models/mistral-large-4.toml',
        ),
        'https://www.getmaxim.ai/bifrost/model-library/compare/mistral/mistral-large-4.md',
      ],
    }),
    entry('mistral-medium-2604', 'Mistral Medium 3.5', {
      ...tools,
      aliases: ['mistral-medium-3.5', 'mistral-medium-3-5'],
      contextTokens: 262_144,
      maxOutputTokens: 262_144,
      structuredOutput: true,
      vision: true,
      reasoning: true,
      usd: { input: '1.50', output: '7.50' },
      sources: [
        modelsDev(
          'ca42ed5bea33c0e66e8fd6e664da85285500d03e',
          'providers/mistral/models/mistral-medium-3.5.toml',
        ),
        modelsDev(
          'f6c6f04367172d62ebd23191660a895587dc3789',
          'models/mistral/mistral-medium-2604.toml',
        ),
      ],
    }),
    entry('mistral-large-2512', 'Mistral Large 3', {
      ...tools,
      contextTokens: 262_144,
      maxOutputTokens: 262_144,
      structuredOutput: true,
      vision: true,
      reasoning: false,
      usd: { input: '0.5', output: '1.5' },
      sources: [
        modelsDev(
          '7fbe22429db68bfe4b3219fd7d8604105a7419d1',
          'providers/mistral/models/mistral-large-2512.toml',
        ),
      ],
    }),
  ],
}

export const groq: CatalogueProvider = {
  name: 'Groq',
  host: 'api.groq.com',
  models: [
    entry('openai/gpt-oss-120b', 'GPT OSS 120B', {
      ...tools,
      contextTokens: 131_072,
      maxOutputTokens: 65_536,
      structuredOutput: true,
      vision: false,
      reasoning: true,
      usd: { input: '0.15', output: '0.60', cachedInput: '0.075' },
      sources: [
        modelsDev(
          '3beb135e23779c1d180b4938ed172e2f67f2fee6',
          'providers/groq/models/openai/gpt-oss-120b.toml',
        ),
      ],
    }),
    entry('openai/gpt-oss-20b', 'GPT OSS 20B', {
      ...tools,
      contextTokens: 131_072,
      maxOutputTokens: 65_536,
      structuredOutput: true,
      vision: false,
      reasoning: true,
      usd: { input: '0.075', output: '0.30', cachedInput: '0.0375' },
      sources: [
        modelsDev(
          '3beb135e23779c1d180b4938ed172e2f67f2fee6',
          'providers/groq/models/openai/gpt-oss-20b.toml',
        ),
      ],
    }),
    entry('qwen/qwen3-32b', 'Qwen3 32B', {
      ...tools,
      contextTokens: 131_072,
      maxOutputTokens: 40_960,
      vision: false,
      reasoning: true,
      usd: { input: '0.29', output: '0.59' },
      sources: [
        modelsDev(
          '3beb135e23779c1d180b4938ed172e2f67f2fee6',
          'providers/groq/models/qwen/qwen3-32b.toml',
        ),
      ],
    }),
  ],
}

const peak = 'This is the price at peak hours. At other hours, the price is half as high.'
const deepseekPricing = 'https://api-docs.deepseek.com/quick_start/pricing'

export const deepseek: CatalogueProvider = {
  name: 'DeepSeek',
  host: 'api.deepseek.com',
  models: [
    entry('deepseek-flash', 'DeepSeek V4.1 Flash', {
      ...tools,
      aliases: ['deepseek-v4-flash', 'deepseek-v4-flash-vision-exp'],
      maxOutputTokens: 393_216,
      structuredOutput: true,
      vision: true,
      reasoning: true,
      usd: { input: '0.3', output: '1.2', cachedInput: '0.006' },
      note: peak,
      sources: [
        deepseekPricing,
        modelsDev(
          '23c42445a033e7bc6c4a6bf21a8e47fdf1aacb66',
          'providers/deepseek/models/deepseek-flash.toml',
        ),
      ],
    }),
    entry('deepseek-v4-pro', 'DeepSeek V4 Pro', {
      ...tools,
      contextTokens: 1_048_576,
      maxOutputTokens: 384_000,
      structuredOutput: true,
      vision: false,
      reasoning: true,
      usd: { input: '1.32', output: '3.96', cachedInput: '0.044' },
      note: peak,
      sources: [
        deepseekPricing,
        modelsDev(
          '48c056c59fbea03e00a7786092a7e618815ee6ba',
          'models/deepseek/deepseek-v4-pro-0813.toml',
        ),
      ],
    }),
  ],
}

const grok = { ...tools, vision: true, reasoning: true }
const longPrompts = 'Prompts of 200,000 tokens and more cost twice as much.'

export const xai: CatalogueProvider = {
  name: 'xAI',
  host: 'api.x.ai',
  models: [
    entry('grok-4.7', 'Grok 4.7', {
      ...grok,
      contextTokens: 500_000,
      structuredOutput: true,
      usd: { input: '2', output: '6', cachedInput: '0.50' },
      note: longPrompts,
      sources: [
        modelsDev('c8249f138322f68aa6dd7beed34ca0a27fc78ccf', 'providers/xai/models/grok-4.7.toml'),
        modelsDev('c8249f138322f68aa6dd7beed34ca0a27fc78ccf', 'models/xai/grok-4.7.toml'),
      ],
    }),
    entry('grok-4.5', 'Grok 4.5', {
      ...grok,
      contextTokens: 500_000,
      structuredOutput: true,
      usd: { input: '2', output: '6', cachedInput: '0.50' },
      note: longPrompts,
      sources: [
        modelsDev('4772f8992e75d2cc8adf9e713c4f09fd11fcbc7d', 'providers/xai/models/grok-4.5.toml'),
      ],
    }),
    entry('grok-4.3', 'Grok 4.3', {
      ...grok,
      contextTokens: 1_000_000,
      usd: { input: '1.25', output: '2.50', cachedInput: '0.20' },
      note: longPrompts,
      sources: [
        modelsDev('2593e131a1e02e1c69412c50b233986e2ab433e4', 'providers/xai/models/grok-4.3.toml'),
      ],
    }),
    entry('grok-4.20-0309-reasoning', 'Grok 4.20', {
      ...grok,
      aliases: ['grok-4.20', 'grok-4.20-reasoning', 'grok-4.20-0309'],
      contextTokens: 1_000_000,
      structuredOutput: true,
      usd: { input: '1.25', output: '2.50', cachedInput: '0.20' },
      note: longPrompts,
      sources: ['https://docs.x.ai/developers/models/grok-4.20-0309.md'],
    }),
  ],
}

import { type CatalogueProvider, entry, modelsDev } from './entry'

const overview = 'https://platform.claude.com/docs/en/about-claude/models/overview'
const pricing = 'https://platform.claude.com/docs/en/about-claude/pricing'

const claude = {
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  toolCalling: 'confirmed',
  vision: true,
  reasoning: true,
} as const

/** Cache writes are those kept for five minutes. This wire sends neither temperature, top-p nor seed to any model. */
export const anthropic: CatalogueProvider = {
  name: 'Anthropic',
  host: 'api.anthropic.com',
  models: [
    entry('claude-opus-5-5', 'Claude Opus 5.5', {
      ...claude,
      structuredOutput: true,
      usd: { input: '4', output: '20', cachedInput: '0.20', cacheWrite: '5' },
      sources: [
        overview,
        modelsDev(
          '482fb019a4847290b37990da929dc707d9243dca',
          'providers/anthropic/models/claude-opus-5-5.toml',
        ),
      ],
    }),
    entry('claude-sonnet-5-5', 'Claude Sonnet 5.5', {
      ...claude,
      structuredOutput: true,
      usd: { input: '2', output: '10', cachedInput: '0.10', cacheWrite: '2.50' },
      note: 'Until 7 October 2026, cached tokens cost $0.20 per million.',
      sources: [
        overview,
        modelsDev(
          '482fb019a4847290b37990da929dc707d9243dca',
          'providers/anthropic/models/claude-sonnet-5-5.toml',
        ),
        'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.23',
      ],
    }),
    entry('claude-haiku-5-5', 'Claude Haiku 5.5', {
      ...claude,
      usd: { input: '0.10', output: '0.50', cachedInput: '0.01', cacheWrite: '0.125' },
      note: 'Prompts of more than 100,000 tokens cost $0.50 in and $2.50 out.',
      sources: [
        overview,
        'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.23',
        'https://docs.rs/synaps/0.10.2/synaps_cli/pricing/index.html',
      ],
    }),
    entry('claude-fable-5', 'Claude Fable 5', {
      ...claude,
      usd: { input: '10', output: '50', cachedInput: '1', cacheWrite: '12.50' },
      sources: [
        pricing,
        modelsDev(
          'ed588fdd0ac4e60fa42e128f8d747017fc3e84af',
          'providers/anthropic/models/claude-fable-5.toml',
        ),
      ],
    }),
    entry('claude-opus-5', 'Claude Opus 5', {
      ...claude,
      structuredOutput: true,
      usd: { input: '5', output: '25', cachedInput: '0.50', cacheWrite: '6.25' },
      sources: [
        'https://platform.claude.com/docs/en/models/opus-5/overview',
        modelsDev(
          'b01d148610a49e2cb692e841223ebf8bc7d61c67',
          'providers/anthropic/models/claude-opus-5.toml',
        ),
      ],
    }),
    entry('claude-sonnet-5', 'Claude Sonnet 5', {
      ...claude,
      usd: { input: '2.00', output: '10.00', cachedInput: '0.20', cacheWrite: '2.50' },
      sources: [
        modelsDev(
          '1261f5ba24ae4d1c6a5934476295c410e1d75ca1',
          'providers/anthropic/models/claude-sonnet-5.toml',
        ),
      ],
    }),
    entry('claude-opus-4-8', 'Claude Opus 4.8', {
      ...claude,
      usd: { input: '5', output: '25', cachedInput: '0.50', cacheWrite: '6.25' },
      sources: [
        pricing,
        modelsDev(
          '7ea1d4e15ceaab6b5ac0f4a4a94c3b44387b9e91',
          'providers/anthropic/models/claude-opus-4-8.toml',
        ),
      ],
    }),
    entry('claude-opus-4-7', 'Claude Opus 4.7', {
      ...claude,
      usd: { input: '5', output: '25', cachedInput: '0.50', cacheWrite: '6.25' },
      sources: [
        pricing,
        modelsDev(
          '147cb3138a7386e79049046cdd80eacd3974c1dd',
          'providers/anthropic/models/claude-opus-4-7.toml',
        ),
      ],
    }),
    entry('claude-sonnet-4-6', 'Claude Sonnet 4.6', {
      ...claude,
      maxOutputTokens: 64_000,
      structuredOutput: true,
      usd: { input: '3', output: '15', cachedInput: '0.30', cacheWrite: '3.75' },
      sources: [
        modelsDev(
          '7fbe22429db68bfe4b3219fd7d8604105a7419d1',
          'providers/anthropic/models/claude-sonnet-4-6.toml',
        ),
      ],
    }),
    entry('claude-haiku-4-5', 'Claude Haiku 4.5', {
      ...claude,
      contextTokens: 200_000,
      maxOutputTokens: 64_000,
      structuredOutput: true,
      usd: { input: '1', output: '5', cachedInput: '0.10', cacheWrite: '1.25' },
      sources: [
        modelsDev(
          '482fb019a4847290b37990da929dc707d9243dca',
          'providers/anthropic/models/claude-haiku-4-5.toml',
        ),
        modelsDev(
          '506b1b0279f8494c42921508044367b640cfc212',
          'models/anthropic/claude-haiku-4-5.toml',
        ),
      ],
    }),
  ],
}

import { type CatalogueProvider, entry, modelsDev } from './entry'

const gemini = {
  contextTokens: 1_048_576,
  maxOutputTokens: 65_536,
  toolCalling: 'confirmed',
  structuredOutput: true,
  vision: true,
  reasoning: true,
} as const

/** Reached through Google's OpenAI-compatible address. Keeping a cache costs by the hour, too, which is left out here. */
export const google: CatalogueProvider = {
  name: 'Google',
  host: 'generativelanguage.googleapis.com',
  models: [
    entry('gemini-3.8-flash', 'Gemini 3.8 Flash', {
      ...gemini,
      usd: { input: '0.75', output: '3.75', cachedInput: '0.075' },
      note: 'From 1 January 2027: $1.50 in, $7.50 out, $0.15 cached.',
      sources: [
        modelsDev(
          '91a19838362bf054937e0e5534d8871762f354f8',
          'providers/google/models/gemini-3.8-flash.toml',
        ),
        modelsDev(
          '91a19838362bf054937e0e5534d8871762f354f8',
          'models/google/gemini-3.8-flash.toml',
        ),
      ],
    }),
    entry('gemini-3.5-flash', 'Gemini 3.5 Flash', {
      ...gemini,
      usd: { input: '1.50', output: '9.00', cachedInput: '0.15' },
      sources: [
        modelsDev(
          '96e7a00f4333b7b909a57a0f3bf63dc8f02f1a48',
          'providers/google/models/gemini-3.5-flash.toml',
        ),
      ],
    }),
    entry('gemini-3.1-pro-preview', 'Gemini 3.1 Pro Preview', {
      ...gemini,
      usd: { input: '2.00', output: '12.00', cachedInput: '0.20' },
      note: 'Prompts of more than 200,000 tokens cost $4.00 in, $18.00 out and $0.40 cached.',
      sources: [
        modelsDev(
          '2593e131a1e02e1c69412c50b233986e2ab433e4',
          'providers/google/models/gemini-3.1-pro-preview.toml',
        ),
      ],
    }),
    entry('gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite', {
      ...gemini,
      usd: { input: '0.25', output: '1.50', cachedInput: '0.025' },
      sources: [
        modelsDev(
          '34fd6673e5684ccc377fa821ff48af498d5703eb',
          'providers/google/models/gemini-3.1-flash-lite.toml',
        ),
      ],
    }),
    entry('gemini-2.5-pro', 'Gemini 2.5 Pro', {
      ...gemini,
      usd: { input: '1.25', output: '10.00', cachedInput: '0.125' },
      note: 'Prompts of more than 200,000 tokens cost $2.50 in, $15.00 out and $0.25 cached.',
      sources: [
        modelsDev(
          '0760ceffd3e02115e6480d9a0be7992c330c2f35',
          'providers/google/models/gemini-2.5-pro.toml',
        ),
        modelsDev('36dbbd62f9f602f86ac654d45ab93b6d8a4f38cc', 'models/google/gemini-2.5-pro.toml'),
      ],
    }),
    entry('gemini-2.5-flash', 'Gemini 2.5 Flash', {
      ...gemini,
      usd: { input: '0.30', output: '2.50', cachedInput: '0.03' },
      sources: [
        modelsDev(
          '0760ceffd3e02115e6480d9a0be7992c330c2f35',
          'providers/google/models/gemini-2.5-flash.toml',
        ),
        modelsDev(
          '36dbbd62f9f602f86ac654d45ab93b6d8a4f38cc',
          'models/google/gemini-2.5-flash.toml',
        ),
      ],
    }),
  ],
}

import { z } from 'zod'
import {
  effortWords,
  FallbackKind,
  fallbackKinds,
  JsonObject,
  OutputSchema,
  ReasoningEffort,
  StoredSchema,
  ToolChoice,
  Wire,
} from './parameter-values'

/** One of a few values: as it is typed, as it is stored, and as people read it. */
type ParameterChoice = { text: string; value: unknown; label: string }

/** Form control of a parameter. Its text is the same on the command line. */
type ParameterControl =
  /** Empty = not sent. */
  | { type: 'choice'; choices: readonly ParameterChoice[] }
  /** One of a few, or `tool:NAME`. Empty = not sent. */
  | { type: 'tool-choice'; choices: readonly ParameterChoice[] }
  | { type: 'switch' }
  | { type: 'text' }
  /** A `count` is a whole number as people write it, such as 12,000. */
  | { type: 'number'; codec: 'decimal' | 'count'; example: string }
  /** Any of a few, separated by commas. */
  | { type: 'list'; choices: readonly ParameterChoice[] }
  /** Texts, one on each line; `\n` stands for the end of a line in one. */
  | { type: 'lines' }
  | { type: 'json'; sample: string }

/** The description of one parameter, from which form, API, command line, site file, history and facts are made. */
export type Described<
  S extends z.ZodType = z.ZodType,
  W extends readonly Wire[] | null = readonly Wire[] | null,
> = {
  label: string
  /** Left out = the label says enough. */
  hint?: string
  control: ParameterControl
  /** The word for null or an empty list. */
  unset: string
  flag: `--${string}`
  /** The schema of input. */
  schema: S
  /** The schema of the stored value, where it differs from the input. */
  stored?: z.ZodType<z.output<S>>
  /** The default value. */
  defaultValue: z.output<S>
  /** The API types that have a place for it, which a model may refuse all the same; null = it depends on no model. */
  wires: W
  /** True = a model that refuses the temperature refuses this, too, and a Claude that reasons is not sent it. */
  sampling?: true
}

/** Returns the description of a parameter, with its types. */
function parameter<S extends z.ZodType, const W extends readonly Wire[] | null>(
  described: Described<S, W>,
): Described<S, W> {
  return described
}

const byModel = 'model’s default'
const words = (choices: Record<string, string>): ParameterChoice[] =>
  Object.entries(choices).map(([text, label]) => ({ text, value: text, label }))

const everyModel = Wire.exclude(['demo']).options
/** Azure OpenAI is Responses, unless the connection says otherwise; what only Chat Completions takes is not sent there. */
const everyOpenAi = ['openai', 'openai-compatible', 'azure-openai'] as const

/** The six oldest parameters. In a form and over HTTP each stands by itself. */
export const requestParameters = {
  temperature: parameter({
    label: 'Temperature',
    hint: '0-2. Lower is more predictable.',
    control: { type: 'number', codec: 'decimal', example: '0.7' },
    unset: byModel,
    flag: '--temperature',
    schema: z
      .number()
      .min(0, 'Temperature must be 0 to 2.')
      .max(2, 'Temperature must be 0 to 2.')
      .nullable(),
    defaultValue: null,
    wires: [...everyOpenAi, 'ollama', 'bedrock', 'gemini'],
    sampling: true,
  }),
  topP: parameter({
    label: 'Top-p',
    hint: 'Above 0, up to 1.',
    control: { type: 'number', codec: 'decimal', example: '0.9' },
    unset: byModel,
    flag: '--top-p',
    schema: z
      .number()
      .gt(0, 'Top-p must be above 0 and at most 1.')
      .max(1, 'Top-p must be above 0 and at most 1.')
      .nullable(),
    defaultValue: null,
    wires: [...everyOpenAi, 'ollama', 'bedrock', 'gemini'],
    sampling: true,
  }),
  maxOutputTokens: parameter({
    label: 'Max output tokens per answer',
    control: { type: 'number', codec: 'count', example: '4000' },
    unset: byModel,
    flag: '--max-output-tokens',
    schema: z
      .int('Enter a whole number of tokens.')
      .min(1, 'At least 1 token.')
      .max(10_000_000, 'At most 10,000,000 tokens.')
      .nullable(),
    defaultValue: null,
    wires: null,
  }),
  stop: parameter({
    label: 'Stop sequences',
    hint: 'Up to 4, one per line. \\n is a line break.',
    control: { type: 'lines' },
    unset: 'none',
    flag: '--stop',
    schema: z
      .array(z.string().min(1, 'A stop sequence has at least 1 character.').max(200))
      .max(4, 'At most 4 stop sequences.'),
    defaultValue: [],
    wires: ['openai-compatible', 'anthropic', 'ollama', 'bedrock', 'gemini'],
  }),
  seed: parameter({
    label: 'Seed',
    hint: 'For reproducible answers.',
    control: { type: 'number', codec: 'decimal', example: '42' },
    unset: byModel,
    flag: '--seed',
    schema: z.int32('A seed must be a whole number up to 2,147,483,647.').nullable(),
    defaultValue: null,
    wires: ['openai-compatible', 'ollama', 'gemini'],
  }),
  reasoningEffort: parameter({
    label: 'Reasoning effort',
    control: { type: 'choice', choices: words(effortWords) },
    unset: byModel,
    flag: '--reasoning-effort',
    schema: ReasoningEffort.nullable(),
    defaultValue: null,
    wires: everyModel,
  }),
}

/** All later parameters: new ones go here. Over HTTP they stand together, under `options`. */
export const furtherParameters = {
  verbosity: parameter({
    label: 'Verbosity',
    control: { type: 'choice', choices: words({ low: 'Low', medium: 'Medium', high: 'High' }) },
    unset: byModel,
    flag: '--verbosity',
    schema: z.enum(['low', 'medium', 'high']).nullable(),
    defaultValue: null,
    wires: everyOpenAi,
  }),
  toolChoice: parameter({
    label: 'Tool choice',
    hint: 'First round only.',
    control: {
      type: 'tool-choice',
      choices: words({
        auto: 'The model chooses',
        required: 'Must call a tool',
        none: 'Must not call tools',
      }),
    },
    unset: byModel,
    flag: '--tool-choice',
    schema: ToolChoice.nullable(),
    defaultValue: null,
    wires: [...everyOpenAi, 'anthropic', 'bedrock', 'gemini'],
  }),
  parallelToolCalls: parameter({
    label: 'Parallel tool calls',
    control: {
      type: 'choice',
      choices: [
        { text: 'on', value: true, label: 'Allowed' },
        { text: 'off', value: false, label: 'One call at a time' },
      ],
    },
    unset: byModel,
    flag: '--parallel-tool-calls',
    schema: z.boolean().nullable(),
    defaultValue: null,
    wires: [...everyOpenAi, 'anthropic'],
  }),
  serviceTier: parameter({
    label: 'Service tier',
    hint: 'Such as auto, flex or priority. A dearer tier is unpriced.',
    control: { type: 'text' },
    unset: 'provider’s default',
    flag: '--service-tier',
    schema: z.string().trim().min(1).max(50, 'At most 50 characters.').nullable(),
    defaultValue: null,
    wires: [...everyOpenAi, 'anthropic', 'bedrock', 'gemini'],
  }),
  extraBody: parameter({
    label: 'Extra body fields',
    hint: 'Sent with each request, as a JSON object.',
    control: { type: 'json', sample: '{"safe_prompt": true}' },
    unset: 'none',
    flag: '--extra-body',
    schema: JsonObject.nullable(),
    defaultValue: null,
    wires: null,
  }),
  /** SPEC R15d. */
  promptCaching: parameter({
    label: 'Prompt caching',
    hint: 'Where the provider can.',
    control: { type: 'switch' },
    unset: 'off',
    flag: '--prompt-caching',
    schema: z.boolean(),
    defaultValue: true,
    wires: null,
  }),
  noFallbackOn: parameter({
    label: 'No fallback after',
    hint: 'The run ends after these failures.',
    control: { type: 'list', choices: words(fallbackKinds) },
    unset: 'none',
    flag: '--stop-fallback-on',
    schema: z
      .array(FallbackKind)
      .max(20)
      .transform((kinds) => FallbackKind.options.filter((kind) => kinds.includes(kind))),
    defaultValue: [],
    wires: null,
  }),
  /** SPEC W. */
  promptedHops: parameter({
    label: 'Requests with tools in prompted mode',
    hint: '1-20. Then the model answers.',
    control: { type: 'number', codec: 'count', example: '2' },
    unset: 'default',
    flag: '--prompted-hops',
    schema: z.int('Enter a whole number.').min(1, 'At least 1.').max(20, 'At most 20.'),
    defaultValue: 2,
    wires: null,
  }),
  /** SPEC Q5. */
  outputSchema: parameter({
    label: 'Answer schema',
    hint: 'JSON Schema of the final answer.',
    control: { type: 'json', sample: '{"type": "object", "properties": {}}' },
    unset: 'text',
    flag: '--output-schema',
    schema: OutputSchema.nullable(),
    stored: StoredSchema,
    defaultValue: null,
    wires: null,
  }),
}

import { parseDecimal } from './codecs'
import type { ConfigurationOptions, FallbackKind, OptionName } from './configuration-options'
import { defaultOptions, JsonObject } from './configuration-options'
import { formatCount } from './format'
import type { ModelParameter } from './model-target'

/** One of a few values: as it is typed, as it is stored, and as people read it. */
type OptionChoice = { text: string; value: unknown; label: string }

/** How an option is typed in a form. Its text is the same on the command line. */
type OptionControl =
  /** Empty = not sent. */
  | { type: 'choice'; choices: readonly OptionChoice[] }
  /** One of a few, or `tool:NAME`. Empty = not sent. */
  | { type: 'tool-choice'; choices: readonly OptionChoice[] }
  | { type: 'switch' }
  | { type: 'text' }
  | { type: 'number' }
  /** Any of a few, separated by commas. */
  | { type: 'list'; choices: readonly OptionChoice[] }
  | { type: 'json'; sample: string }

export type OptionDescriptor = {
  key: OptionName
  label: string
  hint: string
  control: OptionControl
  /** What null is called. */
  unset: string
  flag: `--${string}`
  /** What a model has to take for this to be sent; null = it does not depend on the model. */
  needs: ModelParameter | null
}

const byModel = 'model’s default'
const words = (choices: Record<string, string>): OptionChoice[] =>
  Object.entries(choices).map(([text, label]) => ({ text, value: text, label }))

/** What people call the failures after which another model may be asked. */
export const fallbackKinds: Record<FallbackKind, string> = {
  connection: 'No connection',
  'rate-limited': 'Too many requests',
  server: 'Server error',
  auth: 'Key refused',
  'no-credit': 'No credit or quota',
  'not-found': 'Model not found',
  'web-page': 'Web page instead of an answer',
  'context-length': 'Prompt too long for the model',
  'broken-stream': 'Answer broke off before any text',
}

const described: { [K in OptionName]: Omit<OptionDescriptor, 'key'> } = {
  verbosity: {
    label: 'Verbosity',
    hint: 'How much the model writes.',
    control: { type: 'choice', choices: words({ low: 'Low', medium: 'Medium', high: 'High' }) },
    unset: byModel,
    flag: '--verbosity',
    needs: 'verbosity',
  },
  toolChoice: {
    label: 'Tool choice',
    hint: 'Applies to the first round of a run; the model chooses in later rounds.',
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
    needs: 'toolChoice',
  },
  parallelToolCalls: {
    label: 'Parallel tool calls',
    hint: 'Whether one answer may ask for several calls.',
    control: {
      type: 'choice',
      choices: [
        { text: 'on', value: true, label: 'Allowed' },
        { text: 'off', value: false, label: 'One call at a time' },
      ],
    },
    unset: byModel,
    flag: '--parallel-tool-calls',
    needs: 'parallelToolCalls',
  },
  serviceTier: {
    label: 'Service tier',
    hint: 'The provider’s own name, such as auto, flex or priority. In a tier that may cost more than the model’s prices, runs are unpriced.',
    control: { type: 'text' },
    unset: 'provider’s default',
    flag: '--service-tier',
    needs: 'serviceTier',
  },
  extraBody: {
    label: 'Extra body fields',
    hint: 'A JSON object with further fields of each request. Fields that Toolgate sets are refused.',
    control: { type: 'json', sample: '{"safe_prompt": true}' },
    unset: 'none',
    flag: '--extra-body',
    needs: null,
  },
  promptCaching: {
    label: 'Prompt caching',
    hint: 'Asks the provider to keep the unchanged start of a conversation, where it can.',
    control: { type: 'switch' },
    unset: 'off',
    flag: '--prompt-caching',
    needs: null,
  },
  noFallbackOn: {
    label: 'No fallback after',
    hint: 'After these failures the run ends instead of asking the next model.',
    control: { type: 'list', choices: words(fallbackKinds) },
    unset: 'none',
    flag: '--stop-fallback-on',
    needs: null,
  },
  promptedHops: {
    label: 'Requests with tools in prompted mode',
    hint: '1-20. After them the model gives its final answer.',
    control: { type: 'number' },
    unset: 'default',
    flag: '--prompted-hops',
    needs: null,
  },
  outputSchema: {
    label: 'Answer schema',
    hint: 'A JSON Schema that the final answer must fit. Leave empty for text.',
    control: { type: 'json', sample: '{"type": "object", "properties": {}}' },
    unset: 'text',
    flag: '--output-schema',
    needs: null,
  },
}

/** Every option once, in the order of the form. Form, facts, history, command line and site file read this list. */
export const optionDescriptors: readonly OptionDescriptor[] = Object.entries(described).map(
  // Object.entries forgets that the keys are the names of options.
  ([key, descriptor]) => ({ key: key as OptionName, ...descriptor }),
)

export const optionNames: readonly OptionName[] = optionDescriptors.map(({ key }) => key)

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(described, name)
}

/** Returns an option as a person types it; "" for null and for an empty list. */
export function optionText(key: OptionName, options: ConfigurationOptions): string {
  const value: unknown = options[key]
  const { control } = described[key]
  if (value === null) return ''
  switch (control.type) {
    case 'choice':
      return control.choices.find((each) => each.value === value)?.text ?? ''
    case 'tool-choice':
      return typeof value === 'object' && 'tool' in value ? `tool:${value.tool}` : String(value)
    case 'switch':
      return value ? 'on' : 'off'
    case 'list':
      return Array.isArray(value) ? value.join(', ') : ''
    case 'json':
      return JSON.stringify(value, null, 2)
    case 'text':
    case 'number':
      return String(value)
    default:
      return control satisfies never
  }
}

/**
 * Reads what a person typed, for the schema of the option to check: "" and `default` give its default, and what cannot
 * be read stays text, which the schema refuses.
 */
export function readOption(key: OptionName, typed: string): unknown {
  const text = typed.trim()
  const { control } = described[key]
  if (text === '' || text === 'default') return defaultOptions[key]
  switch (control.type) {
    case 'choice':
      return control.choices.find((each) => each.text === text)?.value ?? text
    case 'tool-choice':
      return text.startsWith('tool:') ? { tool: text.slice('tool:'.length).trim() } : text
    case 'switch':
      return text === 'on' ? true : text === 'off' ? false : text
    case 'number':
      return parseDecimal(text) ?? text
    case 'list':
      return text === 'none' ? [] : text.split(',').map((each) => each.trim())
    case 'json':
      return text === 'none' ? null : jsonIn(text)
    case 'text':
      return text
    default:
      return control satisfies never
  }
}

/** Returns a schema as a person types it; "" for null. */
export function schemaText(outputSchema: JsonObject | null): string {
  return optionText('outputSchema', { ...defaultOptions, outputSchema })
}

/** Reads what a person typed as a schema: null = nothing, undefined = it is no JSON object. */
export function readSchema(typed: string): JsonObject | null | undefined {
  return JsonObject.nullable().safeParse(readOption('outputSchema', typed)).data
}

/** Returns an option in words. */
export function optionWords(key: OptionName, options: ConfigurationOptions): string {
  const value: unknown = options[key]
  const { control, unset } = described[key]
  if (value === null) return unset
  switch (control.type) {
    case 'choice':
    case 'tool-choice': {
      const label = control.choices.find((each) => each.value === value)?.label
      return label ?? optionText(key, options).replace(/^tool:/, 'Must call ')
    }
    case 'list':
      return optionList(key, options).join(', ') || unset
    case 'number':
      return formatCount(Number(value))
    case 'json':
      return JSON.stringify(value)
    case 'switch':
    case 'text':
      return optionText(key, options)
    default:
      return control satisfies never
  }
}

/** Returns the options that are set otherwise than by default, in the order of the form. */
export function optionsThatAreSet(options: ConfigurationOptions): OptionDescriptor[] {
  return optionDescriptors.filter(
    ({ key }) => optionText(key, options) !== optionText(key, defaultOptions),
  )
}

/** Returns an option that is a list as people read its entries. */
export function optionList(key: OptionName, options: ConfigurationOptions): string[] {
  const value: unknown = options[key]
  const { control } = described[key]
  if (control.type !== 'list' || !Array.isArray(value)) return []
  return value.map((each) => control.choices.find(({ text }) => text === each)?.label ?? each)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

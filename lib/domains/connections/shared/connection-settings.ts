import { z } from 'zod'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { inSentence } from '@/lib/words/format'

/** The settings of a connection's API type besides its address, by the keys of their descriptors. Never a secret. */
export type ConnectionSettings = Record<string, string>

/** One setting of an API type: everything that form, API, terminal and site file need to know of it. */
export type ConnectionSetting = {
  key: string
  label: string
  hint?: string
  schema: z.ZodType<string>
  required: boolean
  /** A fixed set of values; the first is the default. */
  choices?: readonly { value: string; label: string }[]
  /** Only used while another setting has this value. */
  when?: { key: string; is: string }
  /** True = the default is not stored, because the setting is for one kind of server. */
  rare?: boolean
}

/** Returns the schema of an id as clouds issue them. */
const id = (words: string) => z.string().regex(/^[\w.-]{1,200}$/, words)

const isEntra = { key: 'authentication', is: 'entra' } as const
const isServiceAccount = { key: 'authentication', is: 'service-account' } as const

export const defaultAuthority = 'https://login.microsoftonline.com'
export const defaultScope = 'https://cognitiveservices.azure.com/.default'
export const googleAuthority = 'https://oauth2.googleapis.com'

/**
 * Returns whether the address is https or on this machine. A secret, or what it signed, is sent there, so nobody in
 * between may read it.
 */
function isSecureOrOwn({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

const signInAddress = {
  key: 'authority',
  label: 'Sign-in address',
  schema: z
    .url({ protocol: /^https?$/, error: 'Enter an address that starts with https://.' })
    .max(300, 'An address has at most 300 characters.')
    .refine((text) => !URL.canParse(text) || new URL(text).origin === text, {
      message: 'Enter only https:// and the host name.',
    })
    .refine((text) => !URL.canParse(text) || isSecureOrOwn(new URL(text)), {
      message:
        'Enter an address that starts with https://. Only this server itself may be http://.',
    }),
  required: false,
} satisfies Omit<ConnectionSetting, 'hint'>

const azureOpenAi: readonly ConnectionSetting[] = [
  {
    key: 'api',
    label: 'API',
    hint: 'Chat Completions: for models without Responses.',
    schema: z.enum(['responses', 'chat-completions'], 'Pick "responses" or "chat-completions".'),
    required: false,
    choices: [
      { value: 'responses', label: 'Responses' },
      { value: 'chat-completions', label: 'Chat Completions' },
    ],
  },
  {
    key: 'authentication',
    label: 'Authentication',
    schema: z.enum(['key', 'entra'], 'Pick "key" or "entra".'),
    required: false,
    choices: [
      { value: 'key', label: 'API key' },
      { value: 'entra', label: 'Microsoft Entra ID (client secret)' },
    ],
  },
  {
    key: 'tenantId',
    label: 'Tenant id',
    hint: 'Of the app registration.',
    schema: id('A tenant id has letters, digits, dots and hyphens.'),
    required: true,
    when: isEntra,
  },
  {
    key: 'clientId',
    label: 'Client id',
    hint: 'Its client secret is the key.',
    schema: id('A client id has letters, digits and hyphens.'),
    required: true,
    when: isEntra,
  },
  {
    ...signInAddress,
    hint: `Default: ${defaultAuthority}.`,
    when: isEntra,
  },
  {
    key: 'scope',
    label: 'Scope',
    hint: `Default: ${defaultScope}.`,
    schema: z.string().regex(/^[\x21-\x7e]{1,300}$/, 'A scope is one word of plain characters.'),
    required: false,
    when: isEntra,
  },
]

/** A region's name, such as eu-central-1 or us-gov-west-1. */
export const awsRegion = /^[a-z]{2}(?:-[a-z]+){1,2}-\d{1,2}$/

const bedrock: readonly ConnectionSetting[] = [
  {
    key: 'region',
    label: 'Region',
    hint: 'Such as eu-central-1.',
    schema: z.string().regex(awsRegion, 'Enter the name of a region, such as eu-central-1.'),
    required: true,
  },
  {
    key: 'authentication',
    label: 'Authentication',
    schema: z.enum(['key', 'bearer', 'environment'], 'Pick "key", "bearer" or "environment".'),
    required: false,
    choices: [
      { value: 'key', label: 'Access key' },
      { value: 'bearer', label: 'Bedrock API key' },
      { value: 'environment', label: 'Role of this server (environment)' },
    ],
  },
  {
    key: 'accessKeyId',
    label: 'Access key id',
    hint: 'Its secret is the key.',
    schema: z
      .string()
      .regex(/^\w{16,128}$/, 'An access key id has 16 or more letters and digits, such as AKIA….'),
    required: true,
    when: { key: 'authentication', is: 'key' },
  },
]

/** Locations of Vertex AI: global, a continent, or a region such as europe-west4. */
export const vertexLocation = /^(?:global|eu|us|[a-z]{2,20}-[a-z]{3,20}\d{1,2})$/

const gemini: readonly ConnectionSetting[] = [
  {
    key: 'authentication',
    label: 'Authentication',
    hint: 'API key: Gemini API. Service account: Vertex AI.',
    schema: z.enum(['key', 'service-account'], 'Pick "key" or "service-account".'),
    required: false,
    choices: [
      { value: 'key', label: 'API key' },
      { value: 'service-account', label: 'Service account (Vertex AI)' },
    ],
  },
  {
    key: 'project',
    label: 'Project',
    hint: 'Id of the Google Cloud project.',
    schema: z
      .string()
      .regex(
        /^(?:[a-z0-9.-]{1,100}:)?[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/,
        'A project id has small letters, digits and hyphens.',
      ),
    required: true,
    when: isServiceAccount,
  },
  {
    key: 'location',
    label: 'Location',
    hint: 'Where prompts are processed: global, eu, us, or such as europe-west4.',
    schema: z
      .string()
      .regex(vertexLocation, 'Enter global, eu, us, or a region such as europe-west4.'),
    required: true,
    when: isServiceAccount,
  },
  {
    ...signInAddress,
    hint: `Default: ${googleAuthority}.`,
    when: isServiceAccount,
  },
]

const openAiCompatible: readonly ConnectionSetting[] = [
  {
    key: 'emptyReason',
    label: 'Calls with an empty finish reason',
    hint: 'For Snowflake Cortex.',
    schema: z.enum(['cut-off', 'complete'], 'Pick "cut-off" or "complete".'),
    required: false,
    choices: [
      { value: 'cut-off', label: 'Count as cut off' },
      { value: 'complete', label: 'Count as complete' },
    ],
    rare: true,
  },
]

/** The settings of each API type; those that are not named have none. */
const settings: Partial<Record<ModelTarget['wire'], readonly ConnectionSetting[]>> = {
  'azure-openai': azureOpenAi,
  'openai-compatible': openAiCompatible,
  bedrock,
  gemini,
}

type Wire = ModelTarget['wire']

/** Returns the settings that count for an API type, given the values of the others. */
export function settingsFor(wire: Wire, values: ConnectionSettings): ConnectionSetting[] {
  return (settings[wire] ?? []).filter(
    ({ when }) => when === undefined || settingValue(wire, values, when.key) === when.is,
  )
}

/** Returns what a setting is: as given, else its default; undefined = nothing. */
export function settingValue(wire: Wire, values: ConnectionSettings, key: string) {
  const given = Object.hasOwn(values, key) ? values[key] : undefined
  if (given) return given
  return settings[wire]?.find((each) => each.key === key)?.choices?.[0]?.value
}

/** Returns what is stored: the settings that count, in their order, with what is picked when nothing was given. */
export function completeSettings(wire: Wire, values: ConnectionSettings): ConnectionSettings {
  const pairs = settingsFor(wire, values).flatMap(({ key, choices, rare }) => {
    const value = settingValue(wire, values, key)
    if (rare && value === choices?.[0]?.value) return []
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(pairs)
}

/** Returns what is wrong with the settings of an API type, a sentence each. */
export function settingProblems(
  wire: Wire,
  values: ConnectionSettings,
): { key: string; message: string }[] {
  const known = (settings[wire] ?? []).map(({ key }) => key)
  const unknown = Object.keys(values).filter((key) => !known.includes(key))
  const list = known.length > 0 ? `It has: ${known.join(', ')}.` : 'It has none.'
  const wrong = settingsFor(wire, values).flatMap(({ key, label, required, schema }) => {
    const value = settingValue(wire, values, key)
    if (value === undefined)
      return required ? [{ key, message: `Enter the ${inSentence(label)}.` }] : []
    const problem = schema.safeParse(value).error?.issues[0]
    return problem ? [{ key, message: problem.message }] : []
  })
  return [
    ...unknown.map((key) => ({ key, message: `This API type has no such setting. ${list}` })),
    ...wrong,
  ]
}

/** Returns what the key of a connection is called, for whoever enters it; null = it needs none. */
export function keyLabel(wire: Wire, values: ConnectionSettings): string | null {
  const authentication = settingValue(wire, values, 'authentication')
  if (authentication === 'environment') return null
  if (authentication === 'entra') return 'Client secret'
  if (authentication === 'service-account') return 'JSON key file'
  return wire === 'bedrock' && authentication === 'key' ? 'Secret access key' : 'API key'
}

import { z } from 'zod'
import { completeSettings, settingProblems } from '../../protocol/connection-settings'
import { FailureCategory } from '../../protocol/failure'
import { ModelTarget } from '../../protocol/model-target'
import { type SortOrder, sortOrder } from '../../protocol/sort-order'
import { looksLikeKeyFile, readServiceAccountKey } from '../../protocol/wire-address'
import { AuditReason } from '../audit/audit-reason'
import { HeaderChanges } from './header-changes'

const OneLineKey = z
  .string()
  .max(4_096, 'A key has at most 4,096 characters.')
  .regex(/^[\x21-\x7e]+$/, 'A key has no spaces or special characters.')

/** A key as providers issue them: one line of visible characters, or the key file of a service account. */
export const ConnectionKey = z
  .string()
  .trim()
  .min(1, 'Paste the key.')
  .max(16_384, 'A key has at most 16,384 characters.')
  .superRefine((text, issues) => {
    const message = looksLikeKeyFile(text)
      ? readServiceAccountKey(text) === null && notAKeyFile
      : OneLineKey.safeParse(text).error?.issues[0]?.message
    if (message) issues.addIssue({ code: 'custom', message })
  })
  // Of a file only what is used is kept.
  .overwrite((text) => {
    const file = readServiceAccountKey(text)
    return file ? JSON.stringify(file) : text
  })

const notAKeyFile =
  'This is not the JSON key file of a service account. Paste the file as Google Cloud gave it.'

/** The host a secret was typed for, as `secretsHost` gives it and pages show it; left out = whatever is stored. */
export const SeenHost = z
  .string()
  .max(600, 'A host has at most 600 characters.')
  .nullable()
  .optional()

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'Enter an address that starts with http:// or https://.' })
  .max(500, 'An address has at most 500 characters.')
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return !url || (url.username === '' && url.password === '')
  }, 'Remove the user name and password from the address. Store a key instead.')
  .refine(
    (text) => !/\bYOUR-[A-Z-]+/.test(text),
    'Replace the part in capital letters with your own name.',
  )
  .refine((text) => !/[?#]/.test(text), 'Remove ? and # and everything after them.')
  .transform((text) => text.replace(/\/+$/, ''))

const timeout = (most: number, words: string) =>
  z
    .int('Enter a whole number of milliseconds.')
    .min(100, 'At least 0.1 seconds.')
    .max(most, words)
    .nullable()

const SettingKey = z.string().max(50, 'The name of a setting has at most 50 characters.')
const SettingValue = z.string().trim().max(500, 'A setting has at most 500 characters.')

/** `baseUrl` null = the wire's own public address, where it has one. `trustZone` says where prompts go (SPEC G7). */
const facts = {
  name: z.string().trim().min(1, 'Enter a name.').max(100, 'A name has at most 100 characters.'),
  wire: ModelTarget.shape.wire,
  baseUrl: BaseUrl.nullable(),
  /** What the API type needs beside its address; `lib/protocol/connection-settings.ts` describes them. */
  settings: z.record(SettingKey, SettingValue),
  organisation: z
    .string()
    .trim()
    .min(1)
    .max(200, 'An organisation has at most 200 characters.')
    .regex(/^[\x21-\x7e]+$/, 'An organisation must be an id without spaces.')
    .nullable(),
  trustZone: ModelTarget.shape.trustZone,
  /** True = an address in a private network or on this machine is meant. */
  privateAddressAllowed: z.boolean(),
  connectTimeoutMs: timeout(120_000, 'At most 2 minutes.'),
  firstByteTimeoutMs: timeout(600_000, 'At most 10 minutes.'),
  idleTimeoutMs: timeout(600_000, 'At most 10 minutes.'),
  maxTries: z.int('Enter a whole number of tries.').min(1, 'At least 1.').max(5, 'At most 5.'),
}
export type ConnectionFacts = z.output<z.ZodObject<typeof facts>>

/** What every connection must fulfil, new or changed. */
export const ConnectionFacts = z
  .object(facts)
  .refine(({ wire, baseUrl }) => wire !== 'openai-compatible' || baseUrl !== null, {
    path: ['baseUrl'],
    message: 'Enter the address of the OpenAI-compatible server.',
  })
  .refine(({ wire, baseUrl }) => wire !== 'azure-openai' || baseUrl !== null, {
    path: ['baseUrl'],
    message: 'Azure OpenAI needs the address of your resource.',
  })
  .superRefine(({ wire, settings }, issues) => {
    for (const { key, message } of settingProblems(wire, settings))
      issues.addIssue({ code: 'custom', path: ['settings', key], message })
  })
  .transform((given) => ({ ...given, settings: completeSettings(given.wire, given.settings) }))

/** The host's name, typed to confirm a trust zone that its address contradicts; "" = not confirmed. */
const ConfirmZone = z.string().trim().max(300, 'A host name has at most 300 characters.')

export const CreateConnection = z.object({
  ...facts,
  baseUrl: facts.baseUrl.default(null),
  settings: facts.settings.default({}),
  organisation: facts.organisation.default(null),
  privateAddressAllowed: facts.privateAddressAllowed.default(false),
  connectTimeoutMs: facts.connectTimeoutMs.default(null),
  firstByteTimeoutMs: facts.firstByteTimeoutMs.default(null),
  idleTimeoutMs: facts.idleTimeoutMs.default(null),
  maxTries: facts.maxTries.default(3),
  apiKey: ConnectionKey.nullable().default(null),
  headers: HeaderChanges.default({}),
  confirmZone: ConfirmZone.default(''),
  /** Needed with `confirmZone`. */
  reason: AuditReason,
})
export type CreateConnection = z.input<typeof CreateConnection>

/**
 * Fields that are left out stay, but another host needs its `trustZone` given with it. `updatedAt` is what the form was filled from: an older one is a conflict; left out =
 * whatever is there. `apiKey` (null takes it away) and `headers` are for a change of host, which what is stored does
 * not follow.
 */
export const UpdateConnection = z.object({
  ...z.object(facts).partial().shape,
  /** What is changed of them; null takes one away. */
  settings: z.record(SettingKey, SettingValue.nullable()).optional(),
  apiKey: ConnectionKey.nullable().optional(),
  headers: HeaderChanges.optional(),
  confirmZone: ConfirmZone.default(''),
  enabled: z.boolean('Give true or false.').optional(),
  updatedAt: z.iso.datetime().optional(),
  reason: AuditReason,
})
export type UpdateConnection = z.input<typeof UpdateConnection>

const connectionSortKeys = ['name', 'wire', 'trust', 'models', 'changed'] as const
export type ConnectionSortKey = (typeof connectionSortKeys)[number]
export const usualConnectionSort: SortOrder<ConnectionSortKey> = 'name'
export const ConnectionSort = sortOrder(connectionSortKeys, usualConnectionSort)
export type ConnectionSort = z.output<typeof ConnectionSort>

/** What a test of a connection found (`outcome` `ok` or the kind of failure), and what to do about it. */
export const ConnectionTest = z.object({
  outcome: z.string(),
  status: z.int().nullable().default(null),
  message: z.string(),
  models: z.int().nullable().default(null),
  latencyMs: z.number().nullable().default(null),
  at: z.string(),
})
export type ConnectionTest = z.output<typeof ConnectionTest>

const trouble = { failures: z.number(), advice: z.string(), at: z.string().nullable() }

/**
 * `untried` = neither a run nor a test was answered since it leads where it does; `open` = nobody asks it until
 * `openUntil`; `failing` = the last calls failed, and it is still asked.
 */
const ConnectionHealthState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('untried') }),
  z.object({ type: z.literal('healthy') }),
  z.object({ type: z.literal('failing'), ...trouble }),
  z.object({ type: z.literal('open'), ...trouble, openUntil: z.string() }),
])
export type ConnectionHealthState = z.output<typeof ConnectionHealthState>

/**
 * The last failure of a kind that somebody can act on, and that no answer has shown to be over. `ofModel` = it speaks of
 * `model` alone, else of the whole connection; `runId` null = the run is gone.
 */
const ConnectionTrouble = z.object({
  category: FailureCategory,
  status: z.number().nullable(),
  advice: z.string(),
  at: z.string(),
  runId: z.string().nullable(),
  ofModel: z.boolean(),
  model: z.object({ id: z.string(), modelId: z.string() }).nullable(),
})
export type ConnectionTrouble = z.output<typeof ConnectionTrouble>

/** Somebody typed the host's name to say that the zone is meant. Counts for that host and that zone alone. */
export const ZoneConfirmation = z.object({
  host: z.string(),
  trustZone: ModelTarget.shape.trustZone,
  by: z.string(),
  at: z.string(),
  reason: z.string(),
})
export type ZoneConfirmation = z.output<typeof ZoneConfirmation>

/** `mismatch`: the address is public, the zone says that data stays in one's own network, and nobody confirmed it. */
const ZoneState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fits') }),
  z.object({ type: z.literal('mismatch'), host: z.string() }),
  ZoneConfirmation.extend({ type: z.literal('confirmed') }),
])
export type ZoneState = z.output<typeof ZoneState>

/**
 * A connection as pages and lists show it. `lastFour` is "" when the key is too short to show any of it. `troubles`: newest
 * first.
 */
export const ConnectionListing = z.object({
  id: z.string(),
  ...facts,
  baseUrl: z.string().nullable(),
  enabled: z.boolean(),
  key: z.object({ lastFour: z.string(), updatedAt: z.string() }).nullable(),
  headerNames: z.array(z.string()),
  models: z.number(),
  health: ConnectionHealthState,
  zone: ZoneState,
  troubles: z.array(ConnectionTrouble),
  lastTest: ConnectionTest.nullable(),
  updatedAt: z.string(),
})
export type ConnectionListing = z.output<typeof ConnectionListing>

const named = { id: z.string(), name: z.string(), enabled: z.boolean() }

/** `primary` = the configuration's own model is of this connection; false = it only falls back on it. */
const ConfigurationUser = z.object({ ...named, primary: z.boolean() })
export type ConfigurationUser = z.output<typeof ConfigurationUser>

/** What stops working without a connection: its models, and the configurations that use one of them. */
const ConnectionUsers = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      modelId: z.string(),
      displayName: z.string(),
      enabled: z.boolean(),
    }),
  ),
  configurations: z.array(ConfigurationUser),
})
export type ConnectionUsers = z.output<typeof ConnectionUsers>

export const ConnectionDetails = ConnectionListing.extend({
  createdAt: z.string(),
  users: ConnectionUsers,
})
export type ConnectionDetails = z.output<typeof ConnectionDetails>

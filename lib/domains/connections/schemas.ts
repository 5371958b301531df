import { z } from 'zod'
import { AuditReason } from '@/lib/domains/audit/shared/audit-reason'
import { FailureCategory } from '@/lib/protocol/model/failure'
import { newSchemasOf, type ValuesOf } from '@/lib/shape/field-codec'
import { sortOrder } from '@/lib/shape/resource'
import type { SortOrder } from '@/lib/shape/sort-order'
import { cleanKey } from '@/lib/words/pasted-text'
import { HeaderChanges } from './header-changes'
import { connectionSchemas, connectionShape, ZoneConfirmation } from './shape'
import { completeSettings, settingProblems } from './shared/connection-settings'
import { looksLikeKeyFile, readServiceAccountKey } from './shared/wire-address'

const OneLineKey = z
  .string()
  .max(4_096, 'A key has at most 4,096 characters.')
  .regex(/^[\x21-\x7e]+$/, 'A key has no spaces or special characters.')

/** A key as providers issue them: one line of visible characters, or the key file of a service account. */
export const ConnectionKey = z
  .string()
  .overwrite(cleanKey)
  .min(1, 'Paste the key.')
  .max(16_384, 'A key has at most 16,384 characters.')
  .superRefine((text, issues) => {
    const message = looksLikeKeyFile(text)
      ? readServiceAccountKey(text) === null && notAKeyFile
      : OneLineKey.safeParse(text).error?.issues[0]?.message
    if (message) issues.addIssue({ code: 'custom', message })
  })
  // Of a key file, only the fields that are used are stored.
  .overwrite((text) => {
    const file = readServiceAccountKey(text)
    return file ? JSON.stringify(file) : text
  })

const notAKeyFile =
  'This is not the JSON key file of a service account. Paste the file as Google Cloud gave it.'

/** The host that a secret was typed for, as `secretsHost` returns it and pages show it; left out = the stored host. */
export const SeenHost = z
  .string()
  .max(600, 'A host has at most 600 characters.')
  .nullable()
  .optional()

export type ConnectionFacts = ValuesOf<typeof connectionShape>

/** The rules for every connection, new or changed. */
export const ConnectionFacts = z
  .object(connectionSchemas)
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
  ...newSchemasOf(connectionShape),
  apiKey: ConnectionKey.nullable().default(null),
  headers: HeaderChanges.default({}),
  confirmZone: ConfirmZone.default(''),
  /** Needed with `confirmZone`. */
  reason: AuditReason,
})
export type CreateConnection = z.input<typeof CreateConnection>

const { settings } = connectionSchemas

/**
 * Describes a change: fields that are left out stay, but another host needs its trust zone given again. `updatedAt`: of
 * the row that the form was filled from; an older one is a conflict, left out = not checked. `apiKey` (null removes it)
 * and `headers` are for a change of host, because stored secrets are not sent there.
 */
export const UpdateConnection = z.object({
  ...z.object(connectionSchemas).partial().shape,
  /** The changed settings; null removes one. */
  settings: z.record(settings.keyType, settings.valueType.nullable()).optional(),
  apiKey: ConnectionKey.nullable().optional(),
  headers: HeaderChanges.optional(),
  confirmZone: ConfirmZone.default(''),
  enabled: z.boolean().optional(),
  updatedAt: z.iso.datetime().optional(),
  reason: AuditReason,
})
export type UpdateConnection = z.input<typeof UpdateConnection>

const connectionSortKeys = ['name', 'wire', 'trust', 'models', 'changed'] as const
export type ConnectionSortKey = (typeof connectionSortKeys)[number]
export const defaultConnectionSort: SortOrder<ConnectionSortKey> = 'name'
export const ConnectionSort = sortOrder(connectionSortKeys, defaultConnectionSort)
export type ConnectionSort = z.output<typeof ConnectionSort>

/** The result of a connection test (`outcome` `ok` or the kind of failure), and what to do about it. */
export const ConnectionTest = z.object({
  outcome: z.string(),
  status: z.int().nullable().default(null),
  message: z.string(),
  models: z.int().nullable().default(null),
  latencyMs: z.number().nullable().default(null),
  at: z.string(),
})
export type ConnectionTest = z.output<typeof ConnectionTest>

const problem = { failures: z.number(), advice: z.string(), at: z.string().nullable() }

/**
 * `untried` = no run and no test was answered since the address, a key or a header changed; `open` = no request is sent until
 * `openUntil`; `failing` = the last requests failed, and more are still sent.
 */
const ConnectionHealthState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('untried') }),
  z.object({ type: z.literal('healthy') }),
  z.object({ type: z.literal('failing'), ...problem }),
  z.object({ type: z.literal('open'), ...problem, openUntil: z.string() }),
])
export type ConnectionHealthState = z.output<typeof ConnectionHealthState>

/**
 * The last failure of a kind that somebody can act on and that no answer has ended. `ofModel` = it is about `model`
 * alone, else about the whole connection; `runId` null = the run was deleted.
 */
const ConnectionProblem = z.object({
  category: FailureCategory,
  status: z.number().nullable(),
  advice: z.string(),
  at: z.string(),
  runId: z.string().nullable(),
  ofModel: z.boolean(),
  model: z.object({ id: z.string(), modelId: z.string() }).nullable(),
})
export type ConnectionProblem = z.output<typeof ConnectionProblem>

/** `mismatch`: the address is public, the zone says that data stays in one's own network, and nobody confirmed it. */
const ZoneState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fits') }),
  z.object({ type: z.literal('mismatch'), host: z.string() }),
  ZoneConfirmation.extend({ type: z.literal('confirmed') }),
])
export type ZoneState = z.output<typeof ZoneState>

/**
 * A connection as pages and lists show it. `lastFour` is "" when the key is too short to show any of it. `troubles`:
 * newest first.
 */
export const ConnectionListing = z.object({
  id: z.string(),
  ...connectionSchemas,
  enabled: z.boolean(),
  key: z.object({ lastFour: z.string(), updatedAt: z.string() }).nullable(),
  headerNames: z.array(z.string()),
  models: z.number(),
  health: ConnectionHealthState,
  zone: ZoneState,
  troubles: z.array(ConnectionProblem),
  lastTest: ConnectionTest.nullable(),
  updatedAt: z.string(),
})
export type ConnectionListing = z.output<typeof ConnectionListing>

const named = { id: z.string(), name: z.string(), enabled: z.boolean() }

/** `primary` = the configuration's own model is of this connection; false = it only falls back on it. */
const ConfigurationUser = z.object({ ...named, primary: z.boolean() })
export type ConfigurationUser = z.output<typeof ConfigurationUser>

/** Objects that stop working without a connection: its models, and the configurations that use one of them. */
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

import { z } from 'zod'
import { CostCapMode, ToolMode } from '../../protocol/configuration-form'
import type { Prices } from '../../protocol/cost'
import { Identifier } from '../../protocol/identifier'
import type { LeastTrusted } from '../../protocol/model-target'
import {
  ModelParameters,
  OptionChanges,
  pick,
  requestParameterSchemas,
} from '../../protocol/parameters'
import { DataClass } from '../../protocol/tool'
import type { Wire } from '../rows/column-names'

const text = (max: number) => z.string().max(max, `At most ${max.toLocaleString('en')} characters.`)

/** What is set by a form. Limits are SPEC R3 (rounds), R8 (time) and M4 (cost). `allowedToolGroups` null = every group. */
const fields = {
  identifier: Identifier,
  name: z.string().trim().min(1, 'Enter a name.').max(100, 'A name has at most 100 characters.'),
  description: text(1_000),
  modelId: z.uuid('Pick a model.'),
  fallbackModelIds: z.array(z.uuid()).max(5, 'At most 5 fallback models.'),
  groupIds: z.array(z.uuid()).max(200),
  systemPrompt: text(100_000),
  ...requestParameterSchemas,
  options: OptionChanges,
  toolMode: ToolMode,
  maxRounds: z
    .int('Enter a whole number of rounds.')
    .min(1, 'At least 1 round.')
    .max(50, 'At most 50 rounds.'),
  timeLimitMs: z
    .int('Enter a number of seconds.')
    .min(1_000, 'At least one second.')
    .max(86_400_000, 'At most one day.'),
  costCapMicroUsd: z
    .int('A cost cap has at most 6 decimals.')
    .min(1, 'A cost cap must be more than 0. Leave it empty for no cost cap.')
    .max(1_000_000_000_000, 'A cost cap is at most 1,000,000 US dollars.')
    .nullable(),
  costCapMode: CostCapMode,
  allowedToolGroups: z
    .array(z.string().min(1).max(100))
    .max(100, 'At most 100 groups.')
    .transform((names) => [...new Set(names)].sort())
    .nullable(),
}

/** Those that have a column of their own, by the same name. */
const columns = [
  'identifier',
  'name',
  'description',
  'modelId',
  'systemPrompt',
  'toolMode',
  'maxRounds',
  'timeLimitMs',
  'costCapMicroUsd',
  'costCapMode',
] as const

/** Returns what of a form goes into columns of their own. */
export function columnsOf<T extends { [K in (typeof columns)[number]]?: unknown }>(form: T) {
  return pick(form, columns)
}

/** What was done and why: kept in the list of versions and in the audit. */
const note = z.string().trim().max(500, 'A note has at most 500 characters.').default('')

export const CreateConfiguration = z.object({
  ...fields,
  description: fields.description.default(''),
  fallbackModelIds: fields.fallbackModelIds.default([]),
  groupIds: fields.groupIds.default([]),
  systemPrompt: fields.systemPrompt.default(''),
  ...ModelParameters.shape,
  options: fields.options.default({}),
  toolMode: fields.toolMode.default('auto'),
  maxRounds: fields.maxRounds.default(5),
  timeLimitMs: fields.timeLimitMs.default(600_000),
  costCapMicroUsd: fields.costCapMicroUsd.default(null),
  costCapMode: fields.costCapMode.default('warn'),
  allowedToolGroups: fields.allowedToolGroups.default(null),
  note,
})
export type CreateConfiguration = z.input<typeof CreateConfiguration>

/** What is left out stays. `version` is the one that was read: another one now is a StaleError. */
export const UpdateConfiguration = z
  .object(fields)
  .partial()
  .extend({ version: z.int('Give the version that you read.').positive(), note })
export type UpdateConfiguration = z.input<typeof UpdateConfiguration>
export type ConfigurationChanges = Omit<z.output<typeof UpdateConfiguration>, 'version' | 'note'>

export const CloneConfiguration = z.object({ identifier: fields.identifier, name: fields.name })
export type CloneConfiguration = z.input<typeof CloneConfiguration>

export const RestoreConfiguration = z.object({
  restored: z.int().positive(),
  version: z.int().positive(),
  note,
})
export type RestoreConfiguration = z.input<typeof RestoreConfiguration>

/** What an admin changes of a configuration that runs; what is left out stays. Groups are sorted, each named once. */
export const ConfigurationPolicy = z.object({
  enabled: z.boolean().optional(),
  allowedToolGroups: z
    .array(z.string().min(1).max(100))
    .max(100, 'At most 100 groups.')
    .transform((names) => [...new Set(names)].sort())
    .nullable()
    .optional(),
  raisedDataClass: DataClass.nullable().optional(),
  fourEyes: z.boolean().optional(),
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})
export type ConfigurationPolicy = z.input<typeof ConfigurationPolicy>

/** What a person picks from. `prices` are micro-USD per million tokens, null where unknown. */
export type ConfigurationListing = {
  id: string
  identifier: string
  name: string
  description: string
  maxRounds: number
  connectionName: string
  wire: Wire
  /** No key is stored for its provider, which needs one. */
  lacksKey: boolean
  /** The zone of the provider of its chain that is trusted least, which decides what tools may return. */
  leastTrusted: LeastTrusted
  modelId: string
  modelName: string
  /** Where it falls back to, in order. */
  fallbacks: { modelName: string; connectionName: string }[]
  contextTokens: number | null
  toolCalling: 'confirmed' | 'unconfirmed' | 'unsupported'
  prices: Prices
  /** Why no run can start with it until somebody edits it; null = nothing is wrong. */
  fault: string | null
}

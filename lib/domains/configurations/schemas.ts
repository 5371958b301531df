import { z } from 'zod'
import { ConfigurationForm, CostCapMode, ToolMode } from '../../protocol/configuration-form'
import { Identifier } from '../../protocol/identifier'
import { type LeastTrusted, ModelTarget } from '../../protocol/model-target'
import {
  ModelParameters,
  OptionChanges,
  pick,
  requestParameterSchemas,
} from '../../protocol/parameters'
import { DataClass } from '../../protocol/tool'

const text = (max: number) => z.string().max(max, `At most ${max.toLocaleString('en')} characters.`)

/**
 * What is set by a form. Limits are SPEC R3 (rounds), R8 (time) and M4 (cost). `allowedToolGroups` null = every group.
 */
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

/** What was done and why, for the list of versions and the audit. */
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

/** What is left out stays. `version` is the one that was read. StaleError when it is another one now. */
export const UpdateConfiguration = z
  .object(fields)
  .partial()
  .extend({ id: z.string(), version: z.int('Give the version that you read.').positive(), note })
export type UpdateConfiguration = z.input<typeof UpdateConfiguration>
export type ConfigurationChanges = Omit<
  z.output<typeof UpdateConfiguration>,
  'id' | 'version' | 'note'
>

/** A configuration by its id or identifier. */
export const WhichConfiguration = z.object({ id: z.string() })

export const CloneConfiguration = WhichConfiguration.extend({
  identifier: fields.identifier,
  name: fields.name,
})

export const RestoreConfiguration = WhichConfiguration.extend({
  restored: z.int().positive(),
  version: z.int().positive(),
  note,
})

/** The policy fields that a change sets; what is left out stays. Groups are sorted, each named once. */
export const ConfigurationPolicy = WhichConfiguration.extend({
  enabled: z.boolean().optional(),
  allowedToolGroups: fields.allowedToolGroups.optional(),
  raisedDataClass: DataClass.nullable().optional(),
  fourEyes: z.boolean().optional(),
})

/** `allowed` false = its members may not use it. */
export const AllowGroup = z.object({
  configurationId: z.string(),
  groupId: z.string(),
  allowed: z.boolean(),
})

/** The result of saving: `version` is the new one. */
export const SavedConfiguration = z.object({
  id: z.string(),
  version: z.number(),
  changed: z.boolean(),
})

/** A configuration as a form edits it, with the version that a change has to name. */
export const EditableConfiguration = z.object({
  id: z.string(),
  version: z.number(),
  form: ConfigurationForm,
})
export type EditableConfiguration = z.output<typeof EditableConfiguration>

/** A configuration after one change. `createdAt` is ISO 8601. */
export type ConfigurationVersionView = {
  version: number
  note: string
  createdByLabel: string
  createdAt: string
  form: ConfigurationForm
}

/** One model of the chain and its provider. Runs skip it unless it is `enabled`. */
const ChainLink = ModelTarget.pick({
  connectionName: true,
  trustZone: true,
  wire: true,
  modelId: true,
}).extend({ modelName: z.string(), enabled: z.boolean() })
export type ChainLink = z.output<typeof ChainLink>

/** A configuration for admins: what it is, who may use it, and what its runs may be offered. */
export const GovernedConfiguration = ConfigurationForm.pick({
  identifier: true,
  name: true,
  description: true,
  enabled: true,
  systemPrompt: true,
  maxRounds: true,
  timeLimitMs: true,
  allowedToolGroups: true,
  raisedDataClass: true,
  fourEyes: true,
  groups: true,
}).extend({
  id: z.string(),
  /** The model first, then its fallbacks in order. */
  chain: z.array(ChainLink),
  parameters: ModelParameters,
  /** How many skills are attached, in force or not. */
  skills: z.number(),
  /** Why no run can start with it until somebody edits it; null = nothing is wrong. */
  fault: z.string().nullable(),
})
export type GovernedConfiguration = z.output<typeof GovernedConfiguration>

/** A model as somebody picks it for a configuration. Prices are those of this moment, null where unknown. */
export type ModelChoice = Omit<ChainLink, 'modelName'> &
  Pick<
    ModelTarget,
    'toolCalling' | 'contextTokens' | 'maxOutputTokens' | 'unsupportedParameters' | 'prices'
  > &
  Required<Pick<ModelTarget, 'reasoning' | 'reasoningEfforts'>> & { id: string; name: string }

/** What a person picks from. `prices` are micro-USD per million tokens, null where unknown. */
export type ConfigurationListing = Pick<
  GovernedConfiguration,
  'id' | 'identifier' | 'name' | 'description' | 'maxRounds' | 'fault'
> &
  Pick<ChainLink, 'connectionName' | 'wire' | 'modelId' | 'modelName'> &
  Pick<ModelTarget, 'contextTokens' | 'toolCalling' | 'prices'> & {
    /** No key is stored for its provider, which needs one. */
    lacksKey: boolean
    /** The least trusted provider of its chain, which decides what tools may return. */
    leastTrusted: LeastTrusted
    /** Where it falls back to, in order. */
    fallbacks: Pick<ChainLink, 'modelName' | 'connectionName'>[]
  }

type Named = { id: string; name: string }

/** Who and what uses a configuration. `runs` are those of the last 30 days, `going` the active ones. */
export type ConfigurationUses = {
  tasks: Named[]
  groups: Named[]
  rules: Named[]
  budgets: { id: string; window: 'day' | 'month'; unit: 'requests' | 'tokens' | 'micro_usd' }[]
  runs: number
  going: number
  /** The owners of active runs, by e-mail address. */
  runners: string[]
}

import { z } from 'zod'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { type LeastTrusted, type ModelTarget, Provider } from '@/lib/protocol/model/model-target'
import { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import {
  ModelParameters,
  OptionChanges,
  pick,
  requestParameterSchemas,
} from '@/lib/protocol/parameters/parameters'
import { DataClass } from '@/lib/protocol/tool'
import { configurationColumns, configurationSchemas, newConfigurationSchemas } from './shape'

/** The fields in front of the parameters. Errors are listed in the order of the fields. */
const beforeParameters = [
  'identifier',
  'name',
  'description',
  'modelId',
  'fallbackModelIds',
  'groupIds',
  'systemPrompt',
] as const

/** The fields of a form. `allowedToolGroups` null = every group. */
const fields = {
  ...pick(configurationSchemas, beforeParameters),
  ...requestParameterSchemas,
  options: OptionChanges,
  ...configurationSchemas,
}

/** Returns the fields of a form that have columns of their own. */
export function columnsOf<T extends { [K in (typeof configurationColumns)[number]]?: unknown }>(
  form: T,
) {
  return pick(form, configurationColumns)
}

/** The note about a change, for the list of versions and the audit. */
const note = z.string().trim().max(500, 'A note has at most 500 characters.').default('')

export const CreateConfiguration = z.object({
  ...pick(newConfigurationSchemas, beforeParameters),
  ...ModelParameters.shape,
  options: OptionChanges.default({}),
  ...newConfigurationSchemas,
  note,
})
export type CreateConfiguration = z.input<typeof CreateConfiguration>

/**
 * The input of a change; omitted fields stay. `version` is the one that the form was filled from. Throws StaleError
 * when the current version is another one.
 */
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

/** The policy fields that a change sets; what is left out stays. Groups and tools are sorted, each named once. */
export const ConfigurationPolicy = WhichConfiguration.extend({
  enabled: z.boolean().optional(),
  allowedToolGroups: fields.allowedToolGroups.optional(),
  allowedTools: fields.allowedTools.optional(),
  raisedDataClass: DataClass.nullable().optional(),
  fourEyes: z.boolean().optional(),
  afterUntrusted: AfterUntrusted.optional(),
  memoryInPrompt: z.boolean().optional(),
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

/** A stored configuration as its form edits it, with the version that a change has to name. */
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
const ChainLink = Provider.extend({
  modelId: z.string(),
  modelName: z.string(),
  enabled: z.boolean(),
})
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
  allowedTools: true,
  allowedOverrides: true,
  raisedDataClass: true,
  fourEyes: true,
  afterUntrusted: true,
  memoryInPrompt: true,
  groups: true,
}).extend({
  id: z.string(),
  /** The model first, then its fallbacks in order. */
  chain: z.array(ChainLink),
  parameters: ModelParameters,
  /** Number of attached skills, in force or not. */
  skills: z.number(),
  /** Why no run can start with it until somebody edits it; null = nothing is wrong. */
  fault: z.string().nullable(),
})
export type GovernedConfiguration = z.output<typeof GovernedConfiguration>

/** A model that may be picked for a configuration. Prices are the current ones, null where unknown. */
export type ModelChoice = Omit<ChainLink, 'modelName'> &
  Pick<
    ModelTarget,
    'toolCalling' | 'contextTokens' | 'maxOutputTokens' | 'unsupportedParameters' | 'prices'
  > &
  Required<Pick<ModelTarget, 'reasoning' | 'reasoningEfforts'>> & { id: string; name: string }

/** A configuration that a person may pick. `prices` are micro-USD per million tokens, null where unknown. */
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
    /** The fallback models, in order. */
    fallbacks: Pick<ChainLink, 'modelName' | 'connectionName'>[]
  }

type Named = { id: string; name: string }

/** Users of a configuration. `runs` are those of the last 30 days, `going` the active ones. */
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

import { z } from 'zod'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { AllowedOverrides } from '@/lib/protocol/run/override-names'
import { DataClass } from '@/lib/protocol/tool'
import { AllowedNames } from '@/lib/protocol/tool-access'
import { ConfigurationOptions, ModelParameters } from './parameters'

export const maxSystemPromptCharacters = 100_000

export const ToolMode = z.enum(['auto', 'native', 'prompted'])
export type ToolMode = z.infer<typeof ToolMode>

export const CostCapMode = z.enum(['off', 'warn', 'enforce'])
export type CostCapMode = z.infer<typeof CostCapMode>

const Named = z.object({ id: z.string(), name: z.string() })

/** One model of a chain, with its names at the time of writing. */
export const NamedModel = Named.extend({ connection: z.string() })
export type NamedModel = z.infer<typeof NamedModel>

/**
 * Everything of a configuration that can be edited, with what it refers to by id and name, so that an old version can
 * be read after a model or a group is gone. Null parameters are the model's default. Never holds a secret.
 */
export const ConfigurationForm = z.object({
  identifier: z.string(),
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  model: NamedModel,
  /** In the order they are tried. */
  fallbacks: z.array(NamedModel),
  systemPrompt: z.string(),
  /** Parameters that an older version does not have are at their defaults. */
  ...ModelParameters.shape,
  options: ConfigurationOptions.prefault({}),
  toolMode: ToolMode,
  maxRounds: z.int(),
  timeLimitMs: z.int(),
  /** Maximum cost of one run (SPEC M4); null: no cap. */
  costCapMicroUsd: z.int().nullable(),
  costCapMode: CostCapMode,
  ...AllowedNames.shape,
  /** Versions from before have none. */
  allowedTools: AllowedNames.shape.allowedTools.default([]),
  /** Settings that members may change for a single run. Older versions have none. */
  allowedOverrides: AllowedOverrides.default([]),
  /** null = what the least trusted zone of the chain says. */
  raisedDataClass: DataClass.nullable(),
  fourEyes: z.boolean(),
  /** Versions from before have none. */
  afterUntrusted: AfterUntrusted.default('allow'),
  /** Runs begin with the notes of their person (SPEC B). Older versions have none. */
  memoryInPrompt: z.boolean().default(false),
  /** The groups whose members may use it. */
  groups: z.array(Named),
  /** In the order they are sent. */
  skills: z.array(Named.extend({ enabled: z.boolean() })),
})
export type ConfigurationForm = z.infer<typeof ConfigurationForm>

// The words for settings with fixed values, on every page and in every history.

export const toolModeWords: Record<ToolMode, string> = {
  auto: 'Automatic',
  native: 'Native',
  prompted: 'Prompted',
}

/** The most rounds that an admin may allow on a site (SPEC R3). */
export const mostRounds = 200

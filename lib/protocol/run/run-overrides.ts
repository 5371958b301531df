import { z } from 'zod'
import { maxSystemPromptCharacters } from '@/lib/protocol/parameters/configuration-form'
import { ModelParameters, requestParameterSchemas } from '@/lib/protocol/parameters/parameters'
import { OverrideName } from './override-names'
import type { RunSnapshot } from './run-snapshot'

const { temperature, reasoningEffort, maxOutputTokens } = requestParameterSchemas

/** The changes of one run; a field that is left out is as in the configuration, and null = the model's default. */
export const RunOverrides = z.strictObject({
  /** The id of a model that is stored here. */
  model: z.uuid('Give the id of a model.').optional(),
  systemPrompt: z
    .string()
    .max(maxSystemPromptCharacters, 'The system prompt is longer than 100,000 characters.')
    .optional(),
  temperature: temperature.optional(),
  reasoningEffort: reasoningEffort.optional(),
  maxOutputTokens: maxOutputTokens.optional(),
})
export type RunOverrides = z.infer<typeof RunOverrides>

export type OverrideField = keyof RunOverrides

/** The field of a run's changes for each name. */
export const overrideFields = {
  model: 'model',
  'system-prompt': 'systemPrompt',
  temperature: 'temperature',
  effort: 'reasoningEffort',
  'output-limit': 'maxOutputTokens',
} as const satisfies Record<OverrideName, OverrideField>

/** Current value of each setting that can be overridden, of a configuration or a run. */
export const Overridable = RunOverrides.required().extend({
  model: z.string(),
  ...ModelParameters.pick({ temperature: true, reasoningEffort: true, maxOutputTokens: true })
    .shape,
})
export type Overridable = z.output<typeof Overridable>

/** Returns what a snapshot has in the place of each change. */
export function overridableOf({
  targets,
  systemPrompt,
  parameters: { temperature, reasoningEffort, maxOutputTokens },
}: Pick<RunSnapshot, 'targets' | 'systemPrompt' | 'parameters'>): Overridable {
  const model = targets[0]?.modelRecordId ?? ''
  return { model, systemPrompt, temperature, reasoningEffort, maxOutputTokens }
}

/** Returns the names of the changes that differ from what there is: an equal one is none. */
export function changedNames(now: Overridable, overrides: RunOverrides): OverrideName[] {
  return OverrideName.options.filter((name) => {
    const field = overrideFields[name]
    return overrides[field] !== undefined && overrides[field] !== now[field]
  })
}

/** Returns these changes as a run of this snapshot has them; null = none. */
export function overridesOf(
  snapshot: RunSnapshot,
  names: readonly OverrideName[] | undefined,
): RunOverrides | null {
  if (!names?.length) return null
  const has = overridableOf(snapshot)
  return Object.fromEntries(names.map((name) => [overrideFields[name], has[overrideFields[name]]]))
}

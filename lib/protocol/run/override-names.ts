import { z } from 'zod'

/** Settings of a configuration that a single run may override (SPEC C1a). */
export const OverrideName = z.enum([
  'model',
  'system-prompt',
  'temperature',
  'effort',
  'output-limit',
])
export type OverrideName = z.infer<typeof OverrideName>

export const overrideWords: Record<OverrideName, string> = {
  model: 'Model',
  'system-prompt': 'System prompt',
  temperature: 'Temperature',
  effort: 'Reasoning effort',
  'output-limit': 'Max output tokens',
}

/** Overrides that members may use, in the order of the names, each once. */
export const AllowedOverrides = z
  .array(OverrideName)
  .max(20)
  .transform((names) => OverrideName.options.filter((name) => names.includes(name)))

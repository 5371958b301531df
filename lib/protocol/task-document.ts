import { z } from 'zod'
import { JsonObject } from './parameter-values'
import { TaskForm } from './task-form'
import { TaskVariable } from './task-variable'

/**
 * A task as a file or a request says it: other things by the names people know them by. `configuration` is an identifier
 * or id (null = picked for a run), `skills` are names, in order.
 */
export const TaskDocument = z.strictObject({
  ...TaskForm.omit({ configuration: true, skills: true }).shape,
  description: z.string().default(''),
  variables: z.array(z.strictObject(TaskVariable.shape)).default([]),
  configuration: z.string().max(100).nullable().default(null),
  outputSchema: JsonObject.nullable().default(null),
  costCapMicroUsd: z.int().nullable().default(null),
  costCapMode: TaskForm.shape.costCapMode.default('warn'),
  skills: z
    .array(
      z.union([
        z.string().transform((name) => ({ name, enabled: true })),
        z.strictObject({ name: z.string(), enabled: z.boolean().default(true) }),
      ]),
    )
    .max(20, 'At most 20 skills.')
    .default([]),
})
export type TaskDocument = z.output<typeof TaskDocument>

/** The way back. A skill's name is unique; a configuration's is not, so its id stands there. */
export function taskDocument({ configuration, skills, ...facts }: TaskForm): TaskDocument {
  return {
    ...facts,
    configuration: configuration?.id ?? null,
    skills: skills.map(({ name, enabled }) => ({ name, enabled })),
  }
}

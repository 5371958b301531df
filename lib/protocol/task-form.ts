import { z } from 'zod'
import { StoredSchema } from './parameter-values'
import { TaskVariable } from './task-variable'

const Named = z.object({ id: z.string(), name: z.string() })

/**
 * Everything of a task that has versions, with what it refers to by id and name, so that an old version can be read
 * after a skill or a configuration is gone.
 */
export const TaskForm = z.object({
  identifier: z.string(),
  name: z.string(),
  description: z.string(),
  prompt: z.string(),
  variables: z.array(TaskVariable),
  /** null = whoever runs it picks one. */
  configuration: Named.nullable(),
  /** What the answer must fit instead of the configuration's schema; null = that one. Versions from before have none. */
  outputSchema: StoredSchema.default(null),
  /** In the order they are sent, behind the configuration's. */
  skills: z.array(Named.extend({ enabled: z.boolean() })),
  /** What one run may cost (SPEC M4); null = no cap. */
  costCapMicroUsd: z.int().nullable(),
  costCapMode: z.enum(['off', 'warn', 'enforce']),
})
export type TaskForm = z.infer<typeof TaskForm>

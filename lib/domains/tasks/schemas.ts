import { z } from 'zod'
import { tasks } from './shape'

/** A task as a person picks it to run. */
export const TaskChoice = z.object({
  id: z.string(),
  identifier: z.string(),
  name: z.string(),
  description: z.string(),
  configurationId: z.string().nullable(),
})
export type TaskChoice = z.infer<typeof TaskChoice>

/** A task to run: its prompt, its variables, the schema of its answer, and its panel (null = one run). */
export const RunnableTask = TaskChoice.extend(
  tasks.Version.pick({ prompt: true, variables: true, outputSchema: true, panel: true }).shape,
)
export type RunnableTask = z.infer<typeof RunnableTask>

import { z } from 'zod'
import { newSchemasOf } from '../../protocol/field-codec'
import { sortOrder } from '../../protocol/resource'
import { TaskForm } from '../../protocol/task-form'
import { checkTaskVariables } from '../../protocol/task-values'
import { noteField, taskShape } from './shape'

/** The schemas of a new task, field by field. */
export const TaskFields = newSchemasOf(taskShape)

type Sent = Pick<TaskForm, 'prompt' | 'variables'>

/** Checks that prompt and variables fit each other. */
function checkPrompt({ prompt, variables }: Sent, issues: z.RefinementCtx): void {
  for (const [path, message] of checkTaskVariables(prompt, variables)) {
    issues.addIssue({ code: 'custom', message, path: path.split('.') })
  }
}

/** The input for a new task. */
export const TaskInput = z.strictObject(TaskFields).superRefine(checkPrompt)
export type TaskInput = z.input<typeof TaskInput>
export type CheckedTask = z.output<typeof TaskInput>

/** `version` is the one that was read. The change is refused when there is a newer one. */
export const UpdateTask = z
  .strictObject({
    taskId: z.string(),
    version: z.int(),
    note: noteField.schema.default(noteField.defaultValue),
    ...TaskFields,
  })
  .superRefine(checkPrompt)

export const CloneTask = z.object({
  taskId: z.string(),
  identifier: TaskFields.identifier,
  name: TaskFields.name,
})

const sortKeys = ['name', 'configuration', 'version', 'changed'] as const
export type TaskSortKey = (typeof sortKeys)[number]
export const defaultTaskSort = 'name' as const

export const TaskFilter = z.object({
  search: z.string().trim().max(200).optional(),
  state: z.enum(['on', 'off']).optional(),
  configuration: z.uuid().optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
  sort: sortOrder(sortKeys, defaultTaskSort),
})
export type TaskFilter = z.output<typeof TaskFilter>

/** A task as lists show it; `configuration` null = whoever runs it picks one. Times are ISO text in UTC. */
export type TaskListing = {
  id: string
  identifier: string
  name: string
  description: string
  enabled: boolean
  version: number
  variables: number
  skills: number
  configuration: { id: string; name: string; identifier: string } | null
  updatedAt: string
}

/** A task as a person picks it to run. */
export const TaskChoice = z.object({
  id: z.string(),
  identifier: z.string(),
  name: z.string(),
  description: z.string(),
  configurationId: z.string().nullable(),
})
export type TaskChoice = z.infer<typeof TaskChoice>

/** A task to run: its prompt, its variables, and the schema of its answer. */
export const RunnableTask = TaskChoice.extend(
  TaskForm.pick({ prompt: true, variables: true, outputSchema: true }).shape,
)
export type RunnableTask = z.infer<typeof RunnableTask>

/** One entry of a task's history, newest first. */
export type TaskVersionView = {
  version: number
  form: TaskForm
  note: string
  createdByLabel: string
  /** ISO 8601. */
  createdAt: string
}

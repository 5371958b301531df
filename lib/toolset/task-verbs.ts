import 'server-only'
import { z } from 'zod'
import { leavesNone, noToolsQuestion, ToolsLeft } from '@/lib/domains/skills/shape'
import { type CheckedTask, TaskInput, UpdateTask } from '@/lib/domains/tasks/schemas'
import { createTask, updateTask } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError } from '@/lib/kernel/errors'
import { verb } from '@/lib/kernel/verb'
import { limitingHere, limitingTask, toolsLeft } from './tools-left'

/** Whether a person agreed that no tool remains. */
const Confirmed = { confirmed: z.boolean().default(false) }

const { audits: _, ...facts } = createTask.definition

/** Creates a task like `createTask`. Throws ConflictError for `confirmed` where its skills leave no tool. */
export const addTask = verb({
  ...facts,
  input: TaskInput.safeExtend(Confirmed),
  output: z.object({ id: z.string(), tools: ToolsLeft }),
  transaction: false,
  run: async ({ ctx }, { confirmed, ...task }) => {
    const tools = await toolsOf(ctx, task, confirmed)
    return { ...(await createTask(ctx, task)), tools }
  },
})

/** Updates a task like `updateTask`. Throws ConflictError as `addTask` does. */
export const editTask = verb({
  ...updateTask.definition,
  input: UpdateTask.safeExtend(Confirmed),
  output: z.object({ version: z.int(), changed: z.boolean(), tools: ToolsLeft }),
  transaction: false,
  run: async ({ ctx }, { confirmed, ...task }) => {
    const tools = await toolsOf(ctx, task, confirmed)
    return { ...(await updateTask(ctx, task)), tools }
  },
})

type Asked = Pick<CheckedTask, 'configurationId' | 'skills'>

/** Returns how many tools remain for the task. Throws ConflictError when its own skills end the last one unasked. */
async function toolsOf(
  ctx: Ctx,
  { configurationId, skills }: Asked,
  confirmed: boolean,
): Promise<ToolsLeft> {
  const all = await limitingTask(ctx, configurationId, skills)
  const after = await toolsLeft(ctx, configurationId, [...all.values()])
  if (confirmed || !leavesNone(after)) return after
  const others =
    configurationId === null ? [] : [...(await limitingHere(ctx, configurationId)).values()]
  if (leavesNone(await toolsLeft(ctx, configurationId, others))) return after
  throw new ConflictError(noToolsQuestion('The skills of the task', after), 'confirmed')
}

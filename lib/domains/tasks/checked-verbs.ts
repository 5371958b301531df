import 'server-only'
import { z } from 'zod'
import { leavesNone, noToolsQuestion, ToolsLeft } from '@/lib/domains/skills/shape'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError } from '@/lib/kernel/errors'
import { tasks } from './shape'
import { taskVerbs } from './verbs'

/** A person agreed that no tool remains. */
const Confirmed = { confirmed: z.boolean().default(false) }

const { create, update, read } = taskVerbs
const { audits: _created, ...creating } = create.definition
const { audits: _updated, ...updating } = update.definition

/** Returns how many tools remain for runs of a task with these skills beside those of its configuration. */
type CountTools = (
  ctx: Ctx,
  configurationId: string | null,
  skills: Asked['skills'],
) => Promise<ToolsLeft>

/** Returns the verbs that ask before a task is left without tools. */
export function checkedTaskVerbs(toolsOfTask: CountTools) {
  /** Creates a task. Throws ConflictError for `confirmed` where its skills leave no tool. */
  const addTask = verb({
    ...creating,
    input: tasks.Create.safeExtend(Confirmed),
    output: z.object({ id: z.string(), tools: ToolsLeft }),
    transaction: false,
    run: async ({ ctx, reason }, { confirmed, ...task }) => {
      const tools = await toolsOf(ctx, toolsOfTask, task, confirmed)
      return { ...(await create(ctx, { ...task, reason })), tools }
    },
  })

  /** Changes a task. Throws ConflictError as `addTask` does. */
  const editTask = verb({
    ...updating,
    input: tasks.Update.safeExtend(Confirmed),
    output: z.object({ version: z.int(), changed: z.boolean(), tools: ToolsLeft }),
    transaction: false,
    run: async ({ ctx, reason }, { confirmed, ...task }) => {
      const before = await read(ctx, { id: task.id })
      const { skills = before.skills, configurationId = before.configuration?.id ?? null } = task
      const tools = await toolsOf(ctx, toolsOfTask, { configurationId, skills }, confirmed)
      return { ...(await update(ctx, { ...task, reason })), tools }
    },
  })
  return { addTask, editTask }
}

type Asked = Required<Pick<z.output<typeof tasks.Create>, 'configurationId' | 'skills'>>

/** Returns how many tools remain for the task. Throws ConflictError when its own skills end the last one unasked. */
async function toolsOf(
  ctx: Ctx,
  toolsOfTask: CountTools,
  { configurationId, skills }: Asked,
  confirmed: boolean,
): Promise<ToolsLeft> {
  const after = await toolsOfTask(ctx, configurationId, skills)
  if (confirmed || !leavesNone(after)) return after
  if (leavesNone(await toolsOfTask(ctx, configurationId, []))) return after
  throw new ConflictError(noToolsQuestion('The skills of the task', after), 'confirmed')
}

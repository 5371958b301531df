'use server'
import { z } from 'zod'
import { remainingBudgets } from '@/lib/domains/budgets/remaining-budgets'
import { listConfigurations } from '@/lib/domains/configurations/usable'
import { action, customAction } from '@/lib/kernel/action'
import { runObstacle } from '@/lib/runs/run-obstacle'
import { startRun } from '@/lib/runs/start-run'
import { explainTools } from '@/lib/toolset/explain-tools'
import { readRunnableTask } from '@/lib/toolset/runnable-tasks'
import { toPickable } from './to-pickable'

/** Starts a run and returns at once. The run does not depend on this request or its page. */
export const runPrompt = action(startRun)

/** Every tool with what the gates say about it for whoever asks, with this configuration and task, now. */
export const explainForMe = customAction(
  z.object({ configuration: z.uuid().nullable(), task: z.uuid().nullable() }),
  'member',
  async (ctx, { configuration, task }) => {
    const tools = await explainTools(ctx, { userId: null, configuration, task, selected: null })
    return tools.map(toPickable)
  },
)

/** A task with its prompt and variables, for whoever may run it. */
export const readTaskForMe = action(readRunnableTask)

/** Returns why this person cannot start a run with this configuration and task now; null = they can. */
export const readRunObstacle = action(runObstacle)

/** What is left of the budgets that count this person's runs. */
export const readBudgetsLeft = customAction(z.object({}), 'member', async (ctx) => {
  const configurations = await listConfigurations(ctx)
  return remainingBudgets(
    ctx,
    configurations.map(({ id }) => id),
  )
})

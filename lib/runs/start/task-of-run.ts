import 'server-only'
import { usableBy } from '@/lib/domains/configurations/usable'
import { readTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import { renderTask } from '@/lib/domains/tasks/shared/task-values'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import type { CheckedRunInput, RunRequest } from '@/lib/runs/schemas'
import type { PlanInput } from './run-draft'

/** Reads the task of a run. What a whole panel has of it, its cost cap, is not added to the members once more. */
export async function readTask(
  tx: Tx,
  ctx: Ctx,
  { task: requestedTask, panel, check }: Pick<PlanInput, 'task' | 'panel' | 'check'>,
): Promise<TaskForRun | null> {
  const named = requestedTask ?? panel?.task ?? check?.task ?? null
  if (named === null) return null
  const task = await readTaskForRun(tx, ctx, named, usableBy(ctx.actor)).catch((error: unknown) => {
    if (requestedTask !== null || !(error instanceof NotFoundError)) throw error
    const what = panel ? 'panel' : 'check'
    throw new ConflictError(
      `The task of this ${what} was switched off or deleted, or its person may not run it any more.`,
    )
  })
  if (panel) return { ...task, costCaps: [] }
  if (task.panel === null) return task
  throw new ValidationError({
    task: `${task.facts.name} runs as a panel, not as one run. Start it on its page, with "toolgate task run" or with POST /tasks/${task.facts.identifier}/run.`,
  })
}

/** Returns the chosen configuration, else that of the task. Whether this person may use it is checked as usual. */
export function configurationOf(
  { configuration }: CheckedRunInput,
  task: TaskForRun | null,
): string {
  const wanted = configuration || task?.configurationId
  if (wanted) return wanted
  throw new ValidationError({
    configuration: 'This task has no configuration of its own. Pick one.',
  })
}

type Prompt = Pick<RunRequest, 'variables'> & { prompt: string }

/** Throws ValidationError with a key `variables.name` for a missing or wrong value. */
export function promptOf(input: CheckedRunInput, task: TaskForRun | null): Prompt {
  if (!task) return { prompt: input.prompt, variables: {} }
  const made = renderTask(task, input.variables)
  if (made.type === 'rendered') {
    return { prompt: made.prompt, variables: Object.fromEntries(made.texts) }
  }
  const errors = [...made.errors].map(([name, sentence]) =>
    name === '' ? ['prompt', sentence] : [`variables.${name}`, sentence],
  )
  throw new ValidationError(Object.fromEntries(errors))
}

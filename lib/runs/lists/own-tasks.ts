import 'server-only'
import { z } from 'zod'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import { haltedTasks, listVisibleTasks, visibleTasks } from '@/lib/domains/tasks/runnable'
import type { RunnableTask } from '@/lib/domains/tasks/schemas'
import { TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import { readRunnableTask } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { readStartState, taskObstacle } from '@/lib/runs/start/run-obstacle'
import { rowsPerPage, sortOrder } from '@/lib/shape/resource'
import { sortParts } from '@/lib/shape/sort-order'
import { type RunLine, readLastOwnRuns } from './run-lines'

const sortKeys = ['name', 'configuration'] as const
export type OwnTaskSortKey = (typeof sortKeys)[number]
export const defaultOwnTaskSort = 'name' as const

export const OwnTaskFilter = z.object({
  search: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  sort: sortOrder(sortKeys, defaultOwnTaskSort),
})
type OwnTaskFilter = z.output<typeof OwnTaskFilter>

/**
 * A task as a person who may run it sees it. `obstacle`: why it cannot be run now; null = nothing that is known. `isHalted`:
 * something is switched off, and until it is on again the person reads nothing of the task but its name.
 */
export type OwnTask = {
  id: string
  name: string
  description: string
  configuration: string | null
  variables: TaskVariable[]
  lastRun: RunLine | null
  obstacle: string | null
  isHalted: boolean
}

/** Returns one page of the tasks that this person may run, and of those that they ran and that something switched off halts. */
export async function listOwnTasks(
  ctx: Ctx,
  { search = '', page, sort }: OwnTaskFilter,
): Promise<{ tasks: OwnTask[]; total: number; whole: number }> {
  const all = await readNamed(ctx)
  const words = search.toLowerCase()
  const found = all.filter(({ name, description, identifier }) =>
    [name, description, identifier].some((text) => text.toLowerCase().includes(words)),
  )
  const { key, direction } = sortParts<OwnTaskSortKey>(sort)
  const ordered = found.sort((a, b) => (a[key] ?? '').localeCompare(b[key] ?? ''))
  if (direction === 'desc') ordered.reverse()
  const shown = ordered.slice((page - 1) * rowsPerPage, page * rowsPerPage)
  return { tasks: await completed(ctx, shown), total: found.length, whole: all.length }
}

const mostHalted = 500

type Named = Omit<OwnTask, 'variables' | 'lastRun'> & { identifier: string }

async function readNamed(ctx: Ctx): Promise<Named[]> {
  const [runnable, halted, state] = await Promise.all([
    listVisibleTasks(ctx, visibleConfigurations(ctx)),
    db().task.findMany({
      where: haltedTasks(ctx),
      take: mostHalted,
      select: { id: true, name: true, enabled: true },
    }),
    readStartState(ctx),
  ])
  const names = new Map(state.configurations.map(({ id, name }) => [id, name]))
  return [
    ...runnable.map(({ configurationId, ...task }) => ({
      ...task,
      configuration: configurationId === null ? null : (names.get(configurationId) ?? null),
      obstacle: taskObstacle(ctx, state, configurationId),
      isHalted: false,
    })),
    ...halted.map(({ enabled, ...task }) => ({
      ...task,
      identifier: '',
      description: '',
      configuration: null,
      isHalted: true,
      obstacle: enabled
        ? 'Its configuration, model or connection is switched off. An admin can switch it on.'
        : 'This task is switched off. An admin can switch it on.',
    })),
  ]
}

/** Reads what only the tasks of one page show. */
async function completed(ctx: Ctx, tasks: readonly Named[]): Promise<OwnTask[]> {
  const ids = tasks.map(({ id }) => id)
  const [rows, lastRuns] = await Promise.all([
    db().task.findMany({
      where: { AND: [{ id: { in: ids } }, visibleTasks(ctx, visibleConfigurations(ctx))] },
      select: { id: true, variables: true },
    }),
    readLastOwnRuns(ctx, ids),
  ])
  const variables = new Map(rows.map((row) => [row.id, z.array(TaskVariable).parse(row.variables)]))
  return tasks.map(({ identifier: _, ...task }) => ({
    ...task,
    variables: variables.get(task.id) ?? [],
    lastRun: lastRuns.get(task.id) ?? null,
  }))
}

/** Returns a task that this person may run, and why it cannot be run now. Throws NotFoundError. */
export async function readOwnTask(
  ctx: Ctx,
  id: string,
): Promise<RunnableTask & Pick<OwnTask, 'configuration' | 'obstacle'>> {
  const [task, state] = await Promise.all([
    readRunnableTask(ctx, { task: id }),
    readStartState(ctx),
  ])
  const found = state.configurations.find((each) => each.id === task.configurationId)
  return {
    ...task,
    configuration: found?.name ?? null,
    obstacle: taskObstacle(ctx, state, task.configurationId),
  }
}

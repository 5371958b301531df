import { remainingBudgets } from '@toolgate/server/domains/budgets/remaining-budgets'
import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { listConfigurations, unusableReason } from '@toolgate/server/domains/configurations/usable'
import { readRunLimits } from '@toolgate/server/domains/settings/verbs'
import type { RunnableTask } from '@toolgate/server/domains/tasks/schemas'
import { writableWorkspace } from '@toolgate/server/domains/workspaces/stored'
import { listRunnableTasks, readRunnableTask } from '@toolgate/server/joined-verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { readRun } from '@toolgate/server/runs/read-run'
import { readChangeable } from '@toolgate/server/runs/start/changeable'
import { runObstacle } from '@toolgate/server/runs/start/run-obstacle'
import { explainTools } from '@toolgate/server/toolset/policy/explain-tools'
import type { Metadata } from 'next'
import { namedConfiguration, usualConfiguration } from '@/components/nouns/usual-configuration'
import { initialValues } from '@/lib/domains/tasks/shared/task-values'
import { requireUser } from '@/lib/next/require-user'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { modeOf } from './compare/compare-draft'
import { Playground } from './playground'
import { type ChosenTask, noTask } from './run-draft'
import { toPickable } from './to-pickable'

export const metadata: Metadata = { title: 'Playground' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

/**
 * Shows the Playground. `?run=` shows a run, `?from=` fills the form with the input of a run, `?continue=` writes the turn after a
 * run that ended, `?change=` runs one again with a change, `?task=` fills the form with a task,
 * `?configuration=` with a configuration, by id or identifier. `?compare=on` compares configurations, `?compare=coordinate` gives them roles.
 */
export default async function PlaygroundPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const asking = await searchParams
  const { run, from, continue: before, change, task, configuration: named } = asking
  const [configurations, tasks, joined, model, turn, original, request] = await Promise.all([
    listConfigurations(ctx),
    listRunnableTasks(ctx, {}),
    readStarted(ctx, run),
    readStarted(ctx, from),
    readStarted(ctx, before),
    readStarted(ctx, change),
    readTask(ctx, typeof task === 'string' ? task : null),
  ])
  const continued = turn?.state.end && isOf(turn.state, ctx) ? turn : null
  const changed = original?.state.end && isOf(original.state, ctx) ? original : null
  const known = joined ?? model ?? continued ?? changed
  const picked =
    (known !== continued && known?.task) || (request ? withValues(request, {}) : noTask)
  const wanted =
    known?.state.start?.snapshot.configurationId ??
    picked.task?.configurationId ??
    (typeof named === 'string' ? named : null)
  const usable = namedConfiguration(configurations, wanted)
  // No other configuration is picked in its place, because that might send the prompt to another provider.
  const unusable = wanted === null || usable ? null : await unusableReason(ctx, wanted)
  const configuration =
    wanted === null ? usualConfiguration(configurations, null) : (usable?.id ?? null)
  const taskId = picked.task?.id ?? null
  const tools = await explainTools(ctx, {
    userId: null,
    configuration,
    task: configuration && taskId,
    selected: null,
  })
  const budgets = await remainingBudgets(
    ctx,
    configurations.map(({ id }) => id),
  )
  const choice = { configuration, task: taskId }
  const blocked = { ...choice, obstacle: await runObstacle(ctx, choice) }
  const explained = { configurationId: configuration, taskId, tools: tools.map(toPickable) }
  return (
    <Playground
      key={`${known?.runId ?? picked.task?.id ?? wanted ?? 'new'} ${known === changed}`}
      role={ctx.actor.role}
      userId={ctx.actor.userId}
      configurations={configurations}
      closed={await countClosed(ctx, configurations.length)}
      tasks={tasks}
      explained={explained}
      joined={joined}
      from={known?.state.start ?? null}
      continued={known === continued ? (continued?.runId ?? null) : null}
      changedFrom={known === changed ? (changed?.runId ?? null) : null}
      changeable={{
        configurationId: configuration,
        changeable: await readChangeable(ctx, configuration),
      }}
      task={picked}
      named={wanted !== null}
      compares={modeOf(asking.compare)}
      unusable={unusable}
      missing={typeof run === 'string' && joined === null}
      budgets={budgets}
      blocked={blocked}
      workspace={await writableWorkspace(ctx)}
      siteRounds={(await readRunLimits()).maxRounds}
    />
  )
}

async function countClosed(ctx: Ctx, usable: number): Promise<number> {
  if (usable > 0 || ctx.actor.role !== 'admin') return 0
  return (await listGovernedConfigurations(ctx, {})).length
}

function isOf({ start }: RunState, { actor }: Ctx): boolean {
  return start?.actor.userId === actor.userId
}

type Started = { runId: string; state: RunState; task: ChosenTask }

async function readStarted(
  ctx: Ctx,
  runId: string | string[] | undefined,
): Promise<Started | null> {
  if (typeof runId !== 'string') return null
  const record = await orNothing(readRun(ctx, runId))
  if (!record) return null
  const task = await readTask(ctx, record.taskId)
  const chosen = task ? withValues(task, record.variables) : noTask
  return { runId, state: foldRun(record.events), task: chosen }
}

async function readTask(ctx: Ctx, task: string | null): Promise<RunnableTask | null> {
  return task === null ? null : orNothing(readRunnableTask(ctx, { task }))
}

/** Returns the task with these values. Values of variables that the task no longer has are left out. */
function withValues(task: RunnableTask, given: Record<string, string>): ChosenTask {
  const usual = Object.entries(initialValues(task.variables))
  const values = usual.map(([name, value]) => [name, given[name] ?? value] as const)
  return { task, values: Object.fromEntries(values) }
}

async function orNothing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

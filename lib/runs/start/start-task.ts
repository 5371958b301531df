import 'server-only'
import { z } from 'zod'
import { usableBy } from '@/lib/domains/configurations/usable'
import { readTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import type { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import { verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { CoordinationFields } from '@/lib/runs/panels/coordination-schemas'
import type { NewPanel } from '@/lib/runs/panels/new-panel'
import { PanelFields } from '@/lib/runs/panels/panel-schemas'
import { coordinationOf } from '@/lib/runs/panels/start-coordination'
import { comparisonOf } from '@/lib/runs/panels/start-panel'
import { storePanel } from '@/lib/runs/panels/store-panel'
import { RunFields } from '@/lib/runs/schemas'
import { startRun } from './start-run'

/** Which task runs, and with what. `configuration` "" = that of the task, also of its roles that name none. */
export const TaskRunFields = RunFields.pick({
  configuration: true,
  variables: true,
  files: true,
  idempotencyKey: true,
}).extend({ task: z.string().trim().min(1, 'Pick a task.').max(100) })
type TaskRun = z.output<typeof TaskRunFields>

/** One of the two is null. `created` false = it began before, with the same idempotency key. */
const Started = z.object({
  runId: z.string().nullable(),
  panelId: z.string().nullable(),
  created: z.boolean(),
})

/**
 * Runs a task as it is: as one run, or as its panel, which the rights of the caller decide on. Throws what the start of any
 * run throws.
 */
export const startTask = verb({
  name: 'task.run',
  role: 'member',
  scope: 'runs:write',
  summary:
    'Runs a task, as one run or as a panel; with a known Idempotency-Key, returns what it started.',
  input: TaskRunFields,
  output: Started,
  transaction: false,
  audits: ['run.start', 'panel.start', 'panel.coordinate'],
  run: async ({ ctx }, input) => {
    const task = await readTaskForRun(db(), ctx, input.task, usableBy(ctx.actor))
    if (task.panel === null)
      return { ...(await startRun(ctx, { ...input, tools: null })), panelId: null }
    const panel = panelOf({ ...task, panel: task.panel }, input)
    return { ...(await storePanel(ctx, panel)), runId: null }
  },
})

/** Returns the panel of a task. Throws ValidationError where a role has no configuration. */
function panelOf(task: TaskForRun & { panel: TaskPanel }, input: TaskRun): NewPanel {
  const { facts } = task
  const [cap = null] = task.costCaps
  const costCap = cap && {
    mode: cap.mode,
    limitMicroUsd: cap.limitMicroUsd,
    setBy: 'task' as const,
  }
  const made = madeOf(task, input)
  return {
    ...made,
    hashed: input,
    wishes: made.wishes.map((wish) => ({ ...wish, panelCap: costCap })),
    start: { ...made.start, costCap },
    audited: { task: facts.identifier, ...made.audited, ...(costCap && { costCap }) },
    check: (members) => {
      made.check?.(members)
      // The panel was read before the prompt.
      const isOther = members.some(
        ({ planned }) => planned !== null && planned.snapshot.task?.version !== facts.version,
      )
      if (isOther) throw new ConflictError(`${facts.name} was changed just now. Start it again.`)
    },
  }
}

function madeOf(task: TaskForRun & { panel: TaskPanel }, input: TaskRun): NewPanel {
  const { files, idempotencyKey, variables } = input
  const ofTask = { task: task.facts.taskId, variables }
  const shared = { files, idempotencyKey }
  const { panel } = task
  if (panel.kind === 'confer') {
    if (input.configuration !== '')
      throw new ValidationError({
        configuration: `${task.facts.name} names the configurations that it compares. Leave this out.`,
      })
    return comparisonOf(PanelFields.parse({ ...panel, ...shared }), ofTask)
  }
  const usual = input.configuration || task.configurationId
  const withUsual = <R extends { configuration: string | null }>(role: R) => {
    const configuration = role.configuration ?? usual
    if (configuration) return { ...role, configuration }
    throw new ValidationError({
      configuration: 'This task has roles without a configuration of their own. Pick one.',
    })
  }
  const roles = {
    proposer: withUsual(panel.proposer),
    critics: panel.critics.map(withUsual),
    synthesizer: withUsual(panel.synthesizer),
  }
  return coordinationOf(
    CoordinationFields.parse({ tools: panel.tools, ...roles, ...shared }),
    ofTask,
  )
}

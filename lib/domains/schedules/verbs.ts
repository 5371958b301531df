import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { authorId, type Ctx } from '../../kernel/context'
import type { ChangeTx, Tx } from '../../kernel/db'
import { ForbiddenError, ValidationError } from '../../kernel/errors'
import type { WrittenFields } from '../../kernel/resource-options'
import { requireStored } from '../../kernel/resource-reads'
import { resourceVerbs } from '../../kernel/resource-verbs'
import { nextTimes } from '../../protocol/cron'
import { needsConfiguration } from '../../protocol/panel-of-task'
import { TaskValues, TaskVariable } from '../../protocol/task-form'
import { TaskPanel } from '../../protocol/task-panel'
import { renderTask } from '../../protocol/task-values'
import { type ScheduleStart, schedules } from './shape'

const shownTimes = 5
const shownStarts = 20

const named = {
  configuration: { select: { id: true, name: true } },
  task: { select: { id: true, name: true } },
  user: { select: { id: true, email: true } },
} as const satisfies Prisma.ScheduleInclude

const newest = (take: number) => ({ orderBy: { at: 'desc' }, take }) as const
const withLast = { ...named, starts: newest(1) } as const

type TaskRow = Prisma.TaskGetPayload<object>
type Row = Prisma.ScheduleGetPayload<{ include: typeof withLast }>

/** The operations on schedules. Each server has a timer for each schedule. */
export const scheduleVerbs = resourceVerbs(schedules, {
  summaries: {
    create:
      'Adds a schedule, which starts a run at set times, with the rights that its person has then.',
    update:
      'Changes a schedule from its next time on, or switches it. Fields that are left out stay.',
    remove: 'Deletes a schedule. The runs that it started stay.',
    list: 'Lists schedules, each with its next times and what happened at the last one.',
    read: 'Returns one schedule with its next and its last times.',
  },
  most: 200,
  rows: async (client) => (await client.schedule.findMany({ include: withLast })).map(stored),
  store: {
    count: (client) => client.schedule.count(),
    find: findSchedule,
    insert: (tx, data) => tx.schedule.create({ data }),
    write: (tx, id, data) => tx.schedule.update({ where: { id }, data }),
    remove: ({ tx }, { id }) => tx.schedule.delete({ where: { id } }),
  },
  check: async ({ ctx, tx }, { userId, ...changes }, before) => {
    for (const id of [userId, before?.userId]) if (id !== undefined) requireOwnWithKey(ctx, id)
    const { taskId, variables, configurationId } = changes
    const [task, configuration] = [
      taskId === undefined ? before?.taskId : taskId,
      configurationId === undefined ? before?.configurationId : configurationId,
    ]
    const isOther = [taskId, variables, configurationId].some((each) => each !== undefined)
    if (!task || !isOther) return
    const row = await tx.task.findUniqueOrThrow({ where: { id: task } })
    requireValues(row, variables ?? before?.variables ?? {})
    if (!configuration) requireConfiguration(row)
  },
  touched: async (tx, id, written) => {
    if (written) await writeAuthors(tx, id, written)
  },
  listed: (schedule) => {
    const next = schedule.enabled ? nextTimes(schedule, new Date(), shownTimes) : []
    const [last] = schedule.starts
    return {
      next: next.map((at) => at.toISOString()),
      lastStart: last ? toStart(last) : null,
    }
  },
  detail: ({ starts }) => ({ starts: starts.map(toStart) }),
  searched: ({ name, prompt, task, configuration, runAs }) => [
    name,
    prompt,
    task?.name,
    configuration?.name,
    runAs.email,
  ],
  orders: {
    // Those that are off come last.
    next: ({ next }) => next[0] ?? '~',
  },
})

/**
 * Stores who counts as author of a schedule (SPEC A10): who changes it, beside those who wrote what it starts and changed it since.
 * Whoever is no admin any more is left out, so that a change takes the schedule over from them. Switching it off makes nobody an
 * author.
 */
async function writeAuthors(
  tx: ChangeTx,
  id: string,
  { ctx, before, names }: WrittenFields<unknown>,
): Promise<void> {
  const { enabled } = await tx.schedule.findUniqueOrThrow({ where: { id } })
  if (!enabled && names.every((name) => name === 'enabled')) return
  const [author, isNew] = [authorId(ctx), before === null]
  const isRewritten = names.includes('prompt') || names.includes('taskId')
  await tx.$executeRaw`
    UPDATE schedules s SET "createdById" = CASE WHEN ${isNew} THEN ${author}::uuid ELSE s."createdById" END,
      authors = ARRAY(SELECT a FROM (
        SELECT ${author}::uuid AS a
        UNION SELECT u.id FROM users u WHERE u.id = ANY(s.authors) AND NOT ${isRewritten}
          AND u.role = 'admin' AND u."disabledAt" IS NULL AND u."deletedAt" IS NULL) found WHERE a IS NOT NULL)
    WHERE s.id = ${id}::uuid`
}

/** Throws ValidationError beside the values that a task cannot begin with as it is now. */
function requireValues({ prompt, variables }: TaskRow, values: TaskValues): void {
  const made = renderTask({ prompt, variables: z.array(TaskVariable).parse(variables) }, values)
  if (made.type === 'rendered') return
  const errors = [...made.errors].map(([name, sentence]) => [
    name === '' ? 'taskId' : `variables.${name}`,
    sentence,
  ])
  throw new ValidationError(Object.fromEntries(errors))
}

/** Throws ValidationError when neither a task nor all members of its panel have a configuration. */
function requireConfiguration({ configurationId, panel }: TaskRow): void {
  if (configurationId !== null || !needsConfiguration(TaskPanel.nullable().parse(panel))) return
  throw new ValidationError({
    configurationId: 'The task has no configuration of its own. Pick one.',
  })
}

/** Returns a schedule as it is stored, by its id or name. Throws NotFoundError. */
export const requireSchedule = requireStored(schedules, findSchedule)

async function findSchedule(client: Tx, asked: { id: string } | { name: string }) {
  const { task: taskName, ...others } = named
  const row = await client.schedule.findUnique({ where: asked, include: others })
  if (!row) return null
  // A transaction has one connection, so these statements follow one another.
  const task =
    row.taskId && (await client.task.findUnique({ where: { id: row.taskId }, ...taskName }))
  const where = { scheduleId: row.id }
  const starts = await client.scheduledStart.findMany({ where, ...newest(shownStarts) })
  return stored({ ...row, task: task || null, starts })
}

function stored({ user, missed, variables, ...row }: Row) {
  return {
    ...row,
    runAs: user,
    missed: schedules.fields.missed.schema.parse(missed),
    variables: TaskValues.parse(variables),
  }
}

function toStart({ at, runId, panelId, refusal }: Row['starts'][number]): ScheduleStart {
  return { at: at.toISOString(), runId, panelId, refusal }
}

/**
 * Throws ForbiddenError when a request with an API key concerns a schedule that runs as another person than its owner: a
 * key never allows more than its owner may do.
 */
export function requireOwnWithKey({ via, actor }: Ctx, userId: string): void {
  if (via !== 'api' || actor.userId === userId) return
  throw new ForbiddenError(
    'An API key can only change and start schedules that run as its owner. Use the console or the command line.',
  )
}

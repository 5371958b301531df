import 'server-only'
import { z } from 'zod'
import { type ScheduleStart, schedules } from '@/lib/domains/schedules/shape'
import { nextTimes } from '@/lib/domains/schedules/shared/cron'
import { needsConfiguration } from '@/lib/domains/tasks/shared/panel-of-task'
import { TaskValues, TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import { renderTask } from '@/lib/domains/tasks/shared/task-values'
import { requireStored } from '@/lib/edge/resource-reads'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ForbiddenError, ValidationError } from '@/lib/kernel/errors'
import { keepConsent, writeAuthors } from './authors'
import { type Reading, readBlocked, readContent, readingOf } from './consent'

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
  rows: async (client) => {
    const rows = await client.schedule.findMany({ include: withLast })
    const [reading, found] = [readingOf(client), [] as Awaited<ReturnType<typeof stored>>[]]
    for (const row of rows) found.push(await stored(reading, row))
    return found
  },
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
    else refuseConfiguration(row)
  },
  touched: async (tx, id, written) => {
    if (!written) return
    await writeAuthors(tx, id, written)
    await keepConsent(tx, id, written)
  },
  listed: (schedule) => {
    const { blocked } = schedule
    const next = schedule.enabled ? nextTimes(schedule, new Date(), shownTimes) : []
    const [last] = schedule.starts
    return {
      next: next.map((at) => at.toISOString()),
      lastStart: last ? toStart(last) : null,
      blocked,
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

/** Returns how many schedules that the caller wrote or changed are on and start nothing. */
export async function countBlocked({ actor: { userId } }: Ctx): Promise<number> {
  const where = { enabled: true, authors: { has: userId } }
  const [reading, rows] = [readingOf(db()), await db().schedule.findMany({ where })]
  let count = 0
  for (const row of rows)
    if (await readBlocked(reading, row, await readContent(reading, row))) count += 1
  return count
}

/** Throws ValidationError when a task names all configurations itself, so that another one is none of them. */
function refuseConfiguration({ name, panel }: TaskRow): void {
  if (TaskPanel.nullable().parse(panel)?.kind !== 'confer') return
  throw new ValidationError({
    configurationId: `${name} names the configurations that it compares. Leave this out.`,
  })
}

/** Returns a schedule as it is stored, by its id or name. Throws NotFoundError. */
export const requireSchedule = requireStored(schedules, findSchedule)

async function findSchedule(client: Tx, reference: { id: string } | { name: string }) {
  const { task: taskName, ...others } = named
  const row = await client.schedule.findUnique({ where: reference, include: others })
  if (!row) return null
  // A transaction has one connection, so these statements follow one another.
  const task =
    row.taskId && (await client.task.findUnique({ where: { id: row.taskId }, ...taskName }))
  const where = { scheduleId: row.id }
  const starts = await client.scheduledStart.findMany({ where, ...newest(shownStarts) })
  return stored(readingOf(client), { ...row, task: task || null, starts })
}

/** Returns a schedule as it is stored, with why it starts nothing now, and the hash of what it would start. */
async function stored(reading: Reading, whole: Row) {
  const { user, missed, variables, ...row } = whole
  const content = await readContent(reading, whole)
  return {
    ...row,
    runAs: user,
    missed: schedules.fields.missed.schema.parse(missed),
    variables: TaskValues.parse(variables),
    blocked: await readBlocked(reading, whole, content),
    contentHash: content.hash,
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

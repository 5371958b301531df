import 'server-only'
import { z } from 'zod'
import { isTimeOf, leftOutTime, nextTimes } from '@/lib/domains/schedules/shared/cron'
import { changed, verb } from '@/lib/edge/verb'
import { authorId, type Ctx, systemCtx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import {
  AppError,
  ConflictError,
  NotFoundError,
  UnavailableError,
  ValidationError,
} from '@/lib/kernel/errors'
import { requireOwnWithKey, requireSchedule, scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { startRun } from './start-run'
import { startTask } from './start-task'

type Schedule = Awaited<ReturnType<typeof requireSchedule>>

/** A time that is handled later than this was missed: no server was up. */
const missedAfterMs = 5 * 60_000

/**
 * Starts the run of a schedule for one of its times, at most once, however often this is called for it. What forbids the
 * run is stored with the time. Throws UnavailableError when it has to be tried again.
 */
export async function startScheduledRun(scheduleId: string, at: Date): Promise<void> {
  const schedule = await findSchedule(scheduleId)
  if (!schedule || !counts(schedule, at, Date.now())) return
  const key = { scheduleId: schedule.id, at }
  if (await db().scheduledStart.findUnique({ where: { scheduleId_at: key } })) return
  const started = await start(schedule, at).catch(refusalOf)
  await db().scheduledStart.createMany({ data: { ...key, ...started }, skipDuplicates: true })
  if (schedule.blocked?.why === 'author') await stop(schedule)
}

/**
 * Starts the runs of all schedules that have a time at `at` only because the change to summer time leaves theirs out. Throws
 * UnavailableError when it has to be tried again.
 */
export async function startMovedRuns(at: Date): Promise<void> {
  const rows = await db().schedule.findMany({ where: { enabled: true } })
  for (const row of rows) {
    if (leftOutTime(row, at) !== null) await startScheduledRun(row.id, at)
  }
}

/** Returns whether a run begins for this time. One that was missed may count if it is the last that was. */
export function counts(schedule: Schedule, at: Date, now: number): boolean {
  const { enabled, missed } = schedule
  // A server may not know yet that the schedule was changed.
  if (!enabled || !isTimeOf(schedule, at)) return false
  if (now - at.getTime() < missedAfterMs) return true
  const [next] = nextTimes(schedule, at, 1)
  return missed === 'once' && (next === undefined || next.getTime() > now)
}

async function findSchedule(id: string): Promise<Schedule | null> {
  try {
    return await requireSchedule(db(), id)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Switches off a schedule whose author may not let it run any more, with its reason. Who is an admin again does not start it. */
async function stop({ id, blocked }: Schedule): Promise<void> {
  await scheduleVerbs.update(systemCtx(), { id, enabled: false, reason: blocked?.reason })
}

type Begun = { runId: string | null; panelId: string | null }

/** Starts what a schedule starts; `presser`: who asks for it now. Throws what forbids it. */
async function start(
  schedule: Schedule,
  at: Date,
  presser?: Ctx,
): Promise<Begun & { refusal: string }> {
  const { id, prompt, configurationId, taskId, variables, blocked } = schedule
  if (taskId === null && prompt === '')
    throw new ConflictError(
      'The task of this schedule was deleted. Pick another, or enter a prompt.',
    )
  if (taskId === null && configurationId === null)
    throw new ConflictError('The configuration of this schedule was deleted. Pick another.')
  if (blocked) throw new ConflictError(blocked.reason)
  const ctx = await ctxOf(db(), schedule, { at, presser })
  const configuration = configurationId ?? ''
  const idempotencyKey = `schedule/${id}/${at.toISOString()}`
  if (taskId !== null) {
    const request = { task: taskId, variables, configuration, idempotencyKey }
    const { runId, panelId } = await startTask(ctx, request).catch(namingValues)
    return { runId, panelId, refusal: '' }
  }
  const { runId } = await startRun(ctx, {
    configuration,
    prompt,
    tools: null,
    maxRounds: null,
    idempotencyKey,
  })
  return { runId, panelId: null, refusal: '' }
}

/** Throws an error that names the values which the task does not take any more; throws others as they are. */
function namingValues(error: unknown): never {
  const fields = error instanceof ValidationError ? Object.entries(error.fields) : []
  const wrong = fields.flatMap(([path, sentence]) => {
    const [, name] = /^variables\.(.+)$/.exec(path) ?? []
    return name === undefined ? [] : [`${name}: ${sentence}`]
  })
  if (wrong.length === 0) throw error
  throw new ConflictError(`The values do not fit the task any more. ${wrong.join(' ')}`)
}

/**
 * Returns the context of the person of a schedule as they are now, with who counts as starter beside them (SPEC A10). Throws
 * ConflictError when their account is not in use.
 */
async function ctxOf(
  tx: Tx,
  { id, userId, createdById, authors, contentHash: hash }: Schedule,
  { at, presser }: { at: Date; presser: Ctx | undefined },
): Promise<Ctx> {
  const { email, role, disabledAt, deletedAt } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
  })
  if (disabledAt !== null || deletedAt !== null) {
    throw new ConflictError(`The account ${email} is disabled, so nothing runs in its name.`)
  }
  const starters = [createdById, ...authors, presser ? authorId(presser) : null]
  return {
    actor: { userId, email, role },
    via: 'schedule',
    ipAddress: null,
    starters: starters.filter((each) => each !== null),
    schedule: { id, hash, at },
  }
}

/** Returns why no run began; throws what has another cause than the schedule. */
function refusalOf(error: unknown): Begun & { refusal: string } {
  if (!(error instanceof AppError) || error instanceof UnavailableError) throw error
  return { runId: null, panelId: null, refusal: error.message }
}

/** Throws what the start of any run throws, such as ForbiddenError when the person may not use the configuration. */
export const runScheduleNow = verb({
  name: 'schedule.run',
  role: 'admin',
  scope: 'schedules:write',
  summary: 'Starts the run or the panel of a schedule at once, with the rights of its person.',
  input: z.object({ id: z.string() }),
  output: z.object({ runId: z.string().nullable(), panelId: z.string().nullable() }),
  transaction: 'later',
  run: async ({ ctx, change }, { id }) => {
    const [schedule, at] = [await requireSchedule(db(), id), new Date()]
    requireOwnWithKey(ctx, schedule.userId)
    const { refusal: _, ...started } = await start(schedule, at, ctx)
    await change(async (tx) => {
      await tx.scheduledStart.create({ data: { scheduleId: schedule.id, at, ...started } })
      const { runId, panelId } = started
      const what = panelId === null ? { run: runId } : { panel: panelId }
      const after = { ...what, runAs: schedule.runAs.email }
      return changed(undefined, { subject: schedule.id, after })
    })
    return started
  },
})

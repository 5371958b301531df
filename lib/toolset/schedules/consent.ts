import 'server-only'
import { createHash } from 'node:crypto'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { usableBy } from '@/lib/domains/configurations/usable'
import type { Blocked } from '@/lib/domains/schedules/shape'
import { readTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import { configurationsOf, needsConfiguration } from '@/lib/domains/tasks/shared/panel-of-task'
import { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { withoutTemporary } from '@/lib/engines/runtime/policy/subject'
import type { Prisma, Schedule, User } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, UnavailableError } from '@/lib/kernel/errors'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { namedBy } from '@/lib/shape/identifier'
import { loadSubjects } from '@/lib/toolset/policy/load-subject'
import { withTask } from '@/lib/toolset/policy/with-task'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'

/** A database client for reading schedules, with a memory: rows that several schedules share are read once. */
export type Reading = { tx: Tx; once: <T>(key: string, read: () => Promise<T>) => Promise<T> }

export function readingOf(tx: Tx): Reading {
  const known = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, read: () => Promise<T>) => {
    const found = (known.get(key) as Promise<T> | undefined) ?? read()
    known.set(key, found)
    return found
  }
  return { tx, once }
}

/** A schedule as it is stored, as far as consent is about it. */
export type ScheduleRow = Omit<
  Schedule,
  'enabled' | 'missed' | 'variables' | 'createdByLabel' | 'createdAt' | 'updatedAt'
> & { missed: string; variables: unknown }

/** The task, or prompt, and the configurations that a schedule starts now. `hash`: SHA-256 of these and of its times, hexadecimal. */
export type ScheduleContent = {
  hash: string
  task: { id: string; name: string; version: number; prompt: string; authors: string[] } | null
  configurations: { id: string; name: string }[]
}

/**
 * The subject of the consent that a schedule needs from its person (SPEC A10): all that it starts, if others wrote the schedule;
 * the version of its task, if others wrote only the task; null if nobody else wrote either.
 */
export type ConsentNeed = { about: 'all' | 'task'; hash: string; askedBy: string[] } | null

/** Returns what a schedule starts, and when. Skills and what a configuration allows belong to it. */
export async function readContent(
  { tx, once }: Reading,
  row: ScheduleRow,
): Promise<ScheduleContent> {
  const task =
    row.taskId === null ? null : await once(`task ${row.taskId}`, () => readTask(tx, row.taskId))
  const where = configurationsFor(row, task)
  const configurations = await once(JSON.stringify(where), () => readConfigurations(tx, where))
  const { cron, timeZone, missed, prompt, variables, userId } = row
  const shown = [
    userId,
    cron,
    timeZone,
    missed,
    prompt,
    variables,
    task?.id,
    task?.version,
    task?.skills,
    configurations.map(({ name: _, ...facts }) => facts),
  ]
  return {
    hash: createHash('sha256').update(JSON.stringify(shown)).digest('hex'),
    task: task && {
      ...task,
      authors: [...task.authors, ...(task.createdById ? [task.createdById] : [])],
    },
    configurations: configurations.map(({ id, name }) => ({ id, name })),
  }
}

const skills = {
  where: { enabled: true },
  orderBy: { position: 'asc' },
  select: { skill: { select: { id: true, version: true } } },
} as const

async function readTask(tx: Tx, id: string | null) {
  return id === null ? null : tx.task.findUnique({ where: { id }, include: { skills } })
}

/** Reads what of configurations decides on their runs; most of it raises the version. */
function readConfigurations(tx: Tx, where: Prisma.ConfigurationWhereInput) {
  const select = {
    id: true,
    name: true,
    version: true,
    allowedToolGroups: true,
    allowedTools: true,
    raisedDataClass: true,
    fourEyes: true,
    afterUntrusted: true,
    memoryInPrompt: true,
    skills,
  } as const
  return tx.configuration.findMany({ where, orderBy: { id: 'asc' }, select })
}

type TaskRow = { configurationId: string | null; panel: unknown }

/** Returns the condition on the configurations that a schedule starts runs with. */
function configurationsFor(
  { configurationId }: ScheduleRow,
  task: TaskRow | null,
): Prisma.ConfigurationWhereInput {
  const panel = TaskPanel.nullable().parse(task?.panel ?? null)
  const usual = configurationId ?? task?.configurationId ?? null
  return {
    OR: [
      // By id or identifier, as the start of a run finds them.
      ...(panel ? configurationsOf(panel).flatMap((name) => namedBy(name) ?? []) : []),
      ...(usual !== null && needsConfiguration(panel) ? [{ id: usual }] : []),
    ],
  }
}

/** Returns what the person of a schedule must agree to; null = nothing: nobody else wrote what it starts. */
export function consentNeed(row: ScheduleRow, { hash, task }: ScheduleContent): ConsentNeed {
  const isOther = (id: string | null) => id !== row.userId
  const writers = [row.createdById, ...row.authors]
  if (row.authors.length === 0 || writers.some(isOther))
    return { about: 'all', hash, askedBy: row.authors.filter(isOther) }
  const taskWriters = task?.authors.filter(isOther) ?? []
  if (!task || taskWriters.length === 0) return null
  return { about: 'task', hash: `task ${task.id} ${task.version}`, askedBy: taskWriters }
}

/** Returns the names of the tools that the runs of a schedule could call now if the site is not frozen, in their order. */
export function readOfferedTools(
  { tx, once }: Reading,
  { userId, taskId }: ScheduleRow,
  { configurations }: ScheduleContent,
): Promise<string[]> {
  const ids = configurations.map(({ id }) => id)
  const key = JSON.stringify([userId, taskId, ids])
  return once(key, () => decideTools(tx, { userId, taskId, ids }))
}

type Offer = { userId: string; taskId: string | null; ids: readonly string[] }

async function decideTools(tx: Tx, { userId, taskId, ids }: Offer): Promise<string[]> {
  const { email, role } = await tx.user.findUniqueOrThrow({ where: { id: userId } })
  const ctx: Ctx = { actor: { userId, email, role }, via: 'schedule', ipAddress: null }
  const task: TaskForRun | null =
    taskId === null
      ? null
      : await readTaskForRun(tx, ctx, taskId, usableBy(ctx.actor)).catch(nullIfNotFound)
  const snapshots: RunSnapshot[] = []
  for (const id of ids) {
    const snapshot = await readConfiguration(tx, ctx, id).catch(nullIfNotFound)
    if (snapshot) snapshots.push(withTask(snapshot, task))
  }
  const selected = task?.panel?.tools ?? null
  const tools = await loadToolset(tx)
  const readings = await loadSubjects(
    tx,
    snapshots.map((snapshot) => ({ userId, apiKeyId: null, snapshot, selected })),
  )
  const offered = readings.flatMap((reading) => {
    if (reading.type !== 'read') throw reading.error
    const subject = withoutTemporary(reading.value)
    return [...tools].flatMap(([name, tool]) => (decideTool(tool, subject).allowed ? [name] : []))
  })
  return [...new Set(offered)].sort()
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}

/** The answer of a schedule's person to its present content. `widened`: it could call more tools than they were shown. */
export type ConsentState = 'given' | 'denied' | 'unanswered' | 'changed' | 'widened'

/** Returns how the person of a schedule answered to what they must agree to. */
export async function readConsentState(
  reading: Reading,
  row: ScheduleRow,
  content: ScheduleContent,
  need: NonNullable<ConsentNeed>,
): Promise<ConsentState> {
  if (row.consentHash === null) return 'unanswered'
  if (row.consentHash !== need.hash) return row.consentGiven ? 'changed' : 'unanswered'
  if (!row.consentGiven) return 'denied'
  if (need.about === 'task') return 'given'
  const tools = await readOfferedTools(reading, row, content)
  return tools.every((name) => row.consentTools.includes(name)) ? 'given' : 'widened'
}

/**
 * Returns why a schedule starts nothing now, whatever its switch says (SPEC A10): who wrote or changed it is no admin any more, or
 * its person has not agreed to what it starts, or one of them is suspended; null = it may start.
 */
export async function readBlocked(
  reading: Reading,
  row: ScheduleRow,
  content: ScheduleContent,
): Promise<Blocked | null> {
  const authors = await readPeople(reading, row.authors)
  const reason = authorFault(row, authors)
  if (reason !== null) return { why: 'author', reason }
  const people = [...authors, ...(await readPeople(reading, [row.userId]))]
  const waits = people.find(({ suspendedFor }) => suspendedFor !== null)
  if (waits) return { why: 'suspended', reason: suspendedWords(waits) }
  const need = consentNeed(row, content)
  const state = need ? await readConsentState(reading, row, content, need) : 'given'
  if (state === 'given') return null
  const { tx, once } = reading
  const where = { id: row.userId }
  const { email } = await once(row.userId, async () => tx.user.findUniqueOrThrow({ where }))
  return { why: 'consent', reason: `${email} ${consentWords[state]}` }
}

const consentWords: Record<Exclude<ConsentState, 'given'>, string> = {
  unanswered: 'has not agreed that it runs as them.',
  changed: 'has not agreed to it as it is now.',
  widened: 'has not agreed to it with the tools that it has now.',
  denied: 'has not agreed that it runs as them: they denied it, or withdrew their consent.',
}

const takeOver = 'Another admin takes it over by switching it off and on, or by saving a change.'

/** Returns why the authors of a schedule may not let it run any more; null = all of them may. */
function authorFault({ authors }: ScheduleRow, users: readonly User[]): string | null {
  if (users.length < authors.length || users.length === 0)
    return `Nobody knows who wrote it. ${takeOver}`
  const gone = users.find(isGone)
  if (gone) return `The account ${gone.email}, which wrote or changed it, is disabled. ${takeOver}`
  const member = users.find(({ role }) => role !== 'admin')
  if (!member) return null
  return `${member.email}, who wrote or changed it, is no longer an admin. ${takeOver}`
}

function readPeople({ tx, once }: Reading, ids: string[]): Promise<User[]> {
  const where = { id: { in: ids } }
  return once(`people ${ids.join()}`, () => tx.user.findMany({ where, orderBy: { email: 'asc' } }))
}

/** Returns whether an account is disabled or deleted; a suspended one may come back by itself. */
function isGone({ disabledAt, suspendedFor, deletedAt }: User): boolean {
  return deletedAt !== null || (disabledAt !== null && suspendedFor === null)
}

function suspendedWords({ email, suspendedFor }: User): string {
  return `The account ${email} is suspended, so this starts nothing until it is not. ${suspendedFor}`
}

/** So long after a time, a consent may still be for it: servers begin it up to half a minute late. */
const graceMs = 60_000

/**
 * Throws ConflictError when a schedule may not start anything now, and UnavailableError when it is not what it was, by the hash of
 * its content. `at`: the time that it starts for; it starts nothing for times before its person agreed.
 */
export async function requireMayStart(
  tx: Tx,
  { id, hash, at }: NonNullable<Ctx['schedule']>,
): Promise<void> {
  const row = await tx.schedule.findUnique({ where: { id } })
  if (!row) throw new ConflictError('The schedule was deleted.')
  const reading = readingOf(tx)
  const content = await readContent(reading, row)
  const blocked = await readBlocked(reading, row, content)
  if (blocked) throw new ConflictError(blocked.reason)
  if (hash !== undefined && content.hash !== hash)
    throw new UnavailableError('The schedule was changed just now. Try again in a moment.')
  const isLate = row.consentAt !== null && at.getTime() < row.consentAt.getTime() - graceMs
  if (isLate && consentNeed(row, content) !== null)
    throw new ConflictError('Its person agreed after this time.')
}

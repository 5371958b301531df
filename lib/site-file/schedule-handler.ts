import { findConfiguration } from '../domains/configurations/reads'
import { createSchedule, updateSchedule } from '../domains/schedules/verbs'
import { findUser } from '../domains/users/reads'
import { type Ctx, requireRole } from '../kernel/context'
import { db } from '../kernel/db'
import { NotFoundError, ValidationError } from '../kernel/errors'
import { pick } from '../protocol/parameters'
import { only } from './entry'
import type { Handler } from './handler'
import type { EntryOf, GivenOf } from './site-file'

type Given = GivenOf<'schedules'>

/** Runs at set times, with their configuration and their person by name. */
export const scheduleHandler: Handler<'schedules'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const rows = await db().schedule.findMany({
      include: {
        configuration: { select: { identifier: true } },
        user: { select: { email: true, deletedAt: true } },
      },
      orderBy: { name: 'asc' },
    })
    return rows.map((row) => ({
      ...pick(row, ['name', 'cron', 'timeZone', 'prompt', 'enabled']),
      configuration: row.configuration?.identifier ?? null,
      runAs: row.user.deletedAt ? null : row.user.email,
      missed: row.missed as EntryOf<'schedules'>['missed'],
    }))
  },
  work: ({ before, given, changed }) => {
    const isTurned = before !== null && changed.has('enabled')
    const turn = (ctx: Ctx, reason: string) => update(ctx, pick(given, ['name', 'enabled']), reason)
    const rest = new Set([...changed].filter((field) => field !== 'enabled'))
    return {
      narrow: isTurned && given.enabled === false ? turn : undefined,
      write: (ctx, reason) =>
        before ? update(ctx, only(given, rest), reason) : create(ctx, given, reason),
      finish: isTurned && given.enabled ? turn : undefined,
    }
  },
}

async function create(ctx: Ctx, given: Given, reason: string): Promise<void> {
  const { configurationId, ...fields } = await toInput(ctx, given)
  const { cron, prompt } = fields
  if (cron === undefined || prompt === undefined || configurationId === undefined) {
    throw new ValidationError({
      name: 'A new schedule needs its times (cron), its configuration and its prompt.',
    })
  }
  await createSchedule(ctx, { ...fields, cron, prompt, configurationId, reason })
}

async function update(ctx: Ctx, given: Given, reason: string): Promise<void> {
  const { name, ...fields } = await toInput(ctx, given)
  if (Object.keys(fields).length === 0) return
  const row = await db().schedule.findUnique({ where: { name }, select: { id: true } })
  if (!row) throw new NotFoundError('This schedule')
  await updateSchedule(ctx, { id: row.id, ...fields, reason })
}

/** Returns the file's fields, with ids in place of names. */
async function toInput(ctx: Ctx, { configuration, runAs, ...fields }: Given) {
  return {
    ...fields,
    ...(configuration && { configurationId: (await findConfiguration(ctx, configuration)).id }),
    ...(runAs && { userId: (await findUser(ctx, runAs)).id }),
  }
}

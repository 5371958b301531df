import { z } from 'zod'
import type { Ctx } from '../../kernel/context'
import { isUniqueViolation, type Tx } from '../../kernel/db'
import { ConflictError, ForbiddenError, ValidationError } from '../../kernel/errors'
import { changed, unchanged, verb } from '../../kernel/verb'
import { requireSchedule } from './reads'
import { CreateSchedule, UpdateSchedule } from './schemas'

/** The most schedules, because each server has a timer for each. */
const maxSchedules = 200

/** Throws ValidationError when its configuration or person does not exist, ConflictError when its name is taken. */
export const createSchedule = verb({
  name: 'schedule.create',
  role: 'admin',
  scope: 'runs:write',
  summary:
    'Adds a schedule, which starts a run at set times, with the rights that its person has then.',
  reason: 'optional',
  input: CreateSchedule,
  output: z.object({ id: z.string() }),
  run: async ({ ctx, tx, actor }, { userId = actor.userId, ...asked }) => {
    requireOwnWithKey(ctx, userId)
    if ((await tx.schedule.count()) >= maxSchedules) {
      throw new ConflictError(
        `There are already ${maxSchedules} schedules, the maximum. Delete one first.`,
      )
    }
    await requireNamed(tx, { ...asked, userId })
    const { id } = await tx.schedule
      .create({ data: { ...asked, userId, createdByLabel: actor.email } })
      .catch(explainTakenName)
    return changed({ id }, { subject: id, after: audited(await requireSchedule(tx, id)) })
  },
})

/** Throws NotFoundError when it is gone. */
export const updateSchedule = verb({
  name: 'schedule.update',
  role: 'admin',
  scope: 'runs:write',
  summary:
    'Changes a schedule from its next time on, or switches it. Fields that are left out stay.',
  reason: 'optional',
  input: UpdateSchedule,
  audits: ['schedule.update', 'schedule.switch-on', 'schedule.switch-off'],
  run: async ({ ctx, tx }, { id, ...asked }) => {
    const before = await requireSchedule(tx, id)
    for (const userId of [before.userId, asked.userId ?? before.userId])
      requireOwnWithKey(ctx, userId)
    const fields = Object.keys(asked) as (keyof typeof asked)[]
    const differing = fields.filter((field) => asked[field] !== before[field])
    if (differing.length === 0) return unchanged(undefined)
    await requireNamed(tx, asked)
    await tx.schedule.update({ where: { id: before.id }, data: asked }).catch(explainTakenName)
    const after = await requireSchedule(tx, before.id)
    const rest = { subject: before.id, before: audited(before), after: audited(after) }
    if (differing.length > 1 || differing[0] !== 'enabled') return changed(undefined, rest)
    const action = after.enabled
      ? ('schedule.switch-on' as const)
      : ('schedule.switch-off' as const)
    return changed(undefined, { ...rest, action })
  },
})

/** Throws NotFoundError when it is gone. */
export const deleteSchedule = verb({
  name: 'schedule.delete',
  role: 'admin',
  scope: 'runs:write',
  summary: 'Deletes a schedule. The runs that it started stay.',
  reason: 'optional',
  input: z.object({ id: z.string() }),
  run: async ({ tx }, { id }) => {
    const before = await requireSchedule(tx, id)
    await tx.schedule.delete({ where: { id: before.id } })
    return changed(undefined, { subject: before.id, before: audited(before), after: null })
  },
})

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

type Named = { configurationId?: string | undefined; userId?: string | undefined }

/** Throws ValidationError when what a schedule names does not exist. */
async function requireNamed(tx: Tx, { configurationId, userId }: Named): Promise<void> {
  if (
    configurationId !== undefined &&
    !(await tx.configuration.count({ where: { id: configurationId } }))
  ) {
    throw new ValidationError({
      configurationId: 'This configuration does not exist. Pick another.',
    })
  }
  if (userId !== undefined && !(await tx.user.count({ where: { id: userId, deletedAt: null } }))) {
    throw new ValidationError({ userId: 'This person does not exist. Pick another.' })
  }
}

function explainTakenName(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw new ConflictError('Another schedule has this name.', 'name')
}

type Stored = Awaited<ReturnType<typeof requireSchedule>>

/** Returns the audited fields of a schedule. */
function audited({ name, cron, timeZone, configuration, prompt, user, missed, enabled }: Stored) {
  const names = { configuration: configuration?.name ?? null, runAs: user.email }
  return { name, cron, timeZone, ...names, prompt, missed, enabled }
}

import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { db, type Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { verb } from '../../kernel/verb'
import { nextTimes } from '../../protocol/cron'
import { matchesSearch } from '../../protocol/matches-search'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import { ScheduleDetail, ScheduleFilter, ScheduleListing, type ScheduleSortKey } from './schemas'

const shownTimes = 5
const shownStarts = 20

const shown = {
  configuration: { select: { id: true, name: true } },
  user: { select: { id: true, email: true } },
} as const satisfies Prisma.ScheduleInclude

const withStarts = (take: number) =>
  ({
    ...shown,
    starts: { orderBy: { at: 'desc' }, take },
  }) as const satisfies Prisma.ScheduleInclude

type Row = Prisma.ScheduleGetPayload<{ include: ReturnType<typeof withStarts> }>

const Wanted = ScheduleFilter.omit({ page: true })
type Wanted = z.output<typeof Wanted>

/** Not in pages, because there are a few hundred at most. `whole`: the number without the filter. */
export const listSchedules = verb({
  name: 'schedule.list',
  role: 'admin',
  scope: 'runs:read',
  summary: 'Lists schedules, each with its next times and what happened at the last one.',
  input: Wanted,
  output: z.object({ schedules: z.array(ScheduleListing), whole: z.number() }),
  transaction: false,
  run: async (_context, wanted) => {
    const rows = await db().schedule.findMany({ include: withStarts(1) })
    const { key, direction } = sortParts(wanted.sort)
    const whole = rows.map(toListing)
    const found = whole.filter((schedule) => fits(schedule, wanted))
    return { schedules: found.sort(comparing(key, direction)), whole: whole.length }
  },
})

/** Throws NotFoundError when there is none. */
export const findSchedule = verb({
  name: 'schedule.read',
  role: 'admin',
  scope: 'runs:read',
  summary: 'Returns one schedule with its next and its last times.',
  input: z.object({ id: z.string() }),
  output: ScheduleDetail,
  transaction: false,
  run: async (_context, { id }) => {
    const row = await db().schedule.findUnique({
      where: { id: parseId(id, 'This schedule') },
      include: withStarts(shownStarts),
    })
    if (!row) throw new NotFoundError('This schedule')
    return { ...toListing(row), starts: row.starts.map(toStart) }
  },
})

/** Returns a schedule as it is stored. Throws NotFoundError. */
export async function requireSchedule(tx: Tx, id: string) {
  const where = { id: parseId(id, 'This schedule') }
  const row = await tx.schedule.findUnique({ where, include: shown })
  if (!row) throw new NotFoundError('This schedule')
  return row
}

function toListing(row: Row): ScheduleListing {
  const { starts, cron, timeZone, enabled, user, updatedAt } = row
  const next = enabled ? nextTimes(cron, timeZone, new Date(), shownTimes) : []
  const [last] = starts
  return ScheduleListing.parse({
    ...row,
    runAs: user,
    next: next.map((at) => at.toISOString()),
    lastStart: last ? toStart(last) : null,
    updatedAt: updatedAt.toISOString(),
  })
}

function toStart({ at, runId, refusal }: Row['starts'][number]) {
  return { at: at.toISOString(), runId, refusal }
}

function fits(schedule: ScheduleListing, { search, state }: Wanted): boolean {
  if (state !== undefined && schedule.enabled !== (state === 'on')) return false
  const { name, prompt, configuration, runAs } = schedule
  return matchesSearch(search, [name, prompt, configuration?.name, runAs.email])
}

function comparing(key: ScheduleSortKey, direction: SortDirection) {
  const way = direction === 'asc' ? 1 : -1
  const of = (schedule: ScheduleListing): string => {
    switch (key) {
      case 'name':
        return schedule.name.toLowerCase()
      case 'next':
        // Those that are off come last.
        return schedule.next[0] ?? '~'
      case 'state':
        return String(schedule.enabled)
      default:
        return key satisfies never
    }
  }
  return (a: ScheduleListing, b: ScheduleListing): number => {
    const [left, right] = [of(a), of(b)]
    if (left === right) return a.name.localeCompare(b.name)
    return left < right ? -way : way
  }
}

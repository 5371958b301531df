import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { readAdminOverview } from '@/lib/doors/overview/read-admin-overview'
import { readOwnOverview } from '@/lib/doors/overview/read-own-overview'
import type { Ctx } from '@/lib/kernel/context'
import { GateName } from '@/lib/protocol/tool'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { dayStart } from '@/lib/words/zone-days'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const zones = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland']
const hourMs = 3_600_000
const count = 240

let admin: Ctx
let member: Ctx
let key: string

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  await addRuns()
  key = await apiKeyOf(admin, 'runs:read')
})

/** Numbers from 0 to 1 that are the same in each run of the tests. */
function numbers(): () => number {
  let state = 7
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Adds runs of the last 45 days, many at the edges of days of each zone, with calls of all kinds. */
async function addRuns(): Promise<void> {
  const random = numbers()
  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)]
  const now = Date.now()
  const runs = Array.from({ length: count }, () => {
    const zone = pick(zones) ?? 'UTC'
    const age = random() ** 2 * 45 * 24 * hourMs
    const date = new Date(now - age).toISOString().slice(0, 10)
    const edge = dayStart(zone, date).getTime() + (random() < 0.5 ? -1 : 0)
    const createdAt = new Date(random() < 0.4 ? Math.min(edge, now - 1) : now - age)
    const ended = random() < 0.95
    const reason =
      random() < 0.8 ? 'completed' : (pick(['internal-error', 'budget', 'frozen']) ?? '')
    const durationMs = ended ? Math.round(random() * 90_000) : null
    return {
      id: randomUUID() as string,
      userId: pick([admin, member])?.actor.userId ?? '',
      status: ended ? ('ended' as const) : ('running' as const),
      request: {},
      prompt: 'p',
      endReason: ended ? reason : null,
      notStarted: random() < 0.05,
      durationMs,
      createdAt,
      costMicroUsd: random() < 0.1 ? null : BigInt(Math.round(random() * 40) * 1_000),
    }
  })
  await db().run.createMany({ data: runs })
  const outcomes = ['ok', 'ok', 'ok', 'failed', 'timed-out', 'unknown', 'denied', 'denied']
  const gates = GateName.options.slice(0, 4)
  await db().callRecord.createMany({
    data: runs.flatMap(({ id, userId, createdAt }) =>
      Array.from({ length: Math.floor(random() * 3) }, (_, nth) => {
        const outcome = pick(outcomes) ?? 'ok'
        const gate = outcome === 'denied' ? (pick(gates) ?? null) : null
        const at = new Date(createdAt.getTime() + nth * 1_000)
        const facts = {
          runId: id,
          callId: `call-${nth}`,
          toolName: 'get_env',
          userId,
          durationMs: 1,
        }
        return { ...facts, outcome, gate, at }
      }),
    ),
  })
}

const find = (ctx: Ctx, wishes: object) => listRuns(ctx, RunFilter.parse(wishes))
const idsOf = (rows: readonly { runId: string }[]) => rows.map(({ runId }) => runId)

describe.each(zones)('in %s', (zone) => {
  test('runs by day add up to the list and to what the API counts, also those with a failure', async () => {
    const { days } = await readAdminOverview(admin, zone)
    const sum = (of: 'runs' | 'failed') => days.reduce((all, day) => all + day[of], 0)
    const input = { period: '30d', zone } as const
    expect(days).toHaveLength(30)
    expect(sum('runs')).toBe((await find(admin, input)).total)
    expect(sum('failed')).toBe((await find(admin, { ...input, failure: 'any' })).total)
    expect(sum('failed')).toBeGreaterThan(10)
    const answer = await askApi('GET', `/runs?period=30d&failure=any&zone=${zone}`, { key })
    expect(await answer.json()).toMatchObject({ total: sum('failed') })
  })

  test('each day has the runs that the list finds between its midnights', async () => {
    const { days } = await readAdminOverview(admin, zone)
    for (const { date, runs } of days.filter((_, at) => at % 6 === 5)) {
      const [from, to] = [dayStart(zone, date), dayStart(zone, date, 1)].map((at) =>
        at.toISOString(),
      )
      expect((await find(admin, { from, to })).total).toBe(runs)
    }
  })

  test('the dearest and the slowest runs are the first ones of the sorted list', async () => {
    const { dearest, slowest } = await readAdminOverview(admin, zone)
    const first = async (sort: string) =>
      idsOf((await find(admin, { period: '7d', zone, sort, pageSize: 5 })).rows)
    expect(idsOf(dearest)).toEqual(await first('-cost'))
    expect(idsOf(slowest)).toEqual(await first('-duration'))
    expect(dearest).toHaveLength(5)
  })

  test('each gate refused calls of as many runs as the list finds for it', async () => {
    const { gates } = await readAdminOverview(admin, zone)
    expect(gates.length).toBeGreaterThan(2)
    for (const { gate, runs } of gates) {
      expect((await find(admin, { period: '7d', zone, gate })).total).toBe(runs)
    }
  })
})

test('the newest refused calls are the last ones, each of a run that the list finds', async () => {
  const { denials } = await readAdminOverview(admin, 'UTC')
  const newest = await db().callRecord.findMany({
    where: { outcome: 'denied' },
    orderBy: [{ at: 'desc' }, { callId: 'asc' }],
    take: 5,
  })
  expect(denials.map(({ at }) => at)).toEqual(newest.map(({ at }) => at.toISOString()))
  const found = idsOf((await find(admin, { outcome: 'denied', pageSize: 200 })).rows)
  expect(found).toEqual(expect.arrayContaining(idsOf(denials)))
})

test('members see their own newest runs, in the order of their list', async () => {
  const { newest } = await readOwnOverview(member)
  const { rows } = await find(member, { pageSize: 5 })
  expect(idsOf(newest)).toEqual(idsOf(rows))
  expect(newest.every(({ userEmail }) => userEmail === member.actor.email)).toBe(true)
})

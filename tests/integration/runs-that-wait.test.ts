import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { followRun } from '@/lib/doors/cli/runs/follow-run'
import { inTerminal, type Terminal } from '@/lib/doors/cli/terminal'
import type { Ctx } from '@/lib/kernel/context'
import type { WaitReason } from '@/lib/protocol/run/waiting'
import { readWaiting } from '@/lib/runs/approvals/read-waiting'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { readRun } from '@/lib/runs/read-run'
import { RunFilter } from '@/lib/runs/schemas'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let mia: Ctx
let configurationId: string

beforeEach(async () => {
  await db().run.deleteMany()
  const site = await addRunSite('http://127.0.0.1:1')
  admin = site.admin
  mia = await addPerson('member')
  const where = { identifier: site.configuration }
  configurationId = (await db().configuration.findFirstOrThrow({ where })).id
  await limit({ siteRuns: 4, personRuns: 2, configurationRuns: 3 })
})

const limit = (limits: object) => updateSettings(admin, limits)

type WaitingRun = { waitsFor?: WaitReason; priority?: number; at?: number; place?: number }

async function add(
  who: Ctx,
  { waitsFor, priority = 1, at = 0, place }: WaitingRun,
): Promise<string> {
  const places = place && { sitePlace: place, personPlace: place, configurationPlace: place }
  const { id } = await db().run.create({
    data: {
      userId: who.actor.userId,
      configurationId,
      request: { tools: null, maxRounds: 5 },
      prompt: 'Hello',
      waitsFor: waitsFor ?? null,
      priority,
      ...places,
      createdAt: new Date(Date.UTC(2026, 0, 1) + at),
    },
  })
  return id
}

test('the place counts those that wait for the same and go first, by priority, then by time', async () => {
  const tom = await addPerson('member')
  const early = await add(mia, { waitsFor: 'person', priority: 2, at: 0 })
  const first = await add(mia, { waitsFor: 'person', at: 1 })
  const second = await add(mia, { waitsFor: 'person', at: 2 })
  const other = await add(tom, { waitsFor: 'person', at: 3 })
  const site = await add(mia, { waitsFor: 'site', priority: 3, at: 4 })
  const places = await Promise.all(
    [first, second, early, other, site].map(async (id) => (await readWaiting(admin, id))?.place),
  )
  expect(places).toEqual([1, 2, 3, 1, 1])
  await db().run.update({ where: { id: first }, data: { cancelledBy: mia.actor.email } })
  expect(await readWaiting(mia, early)).toMatchObject({ place: 2 })
})

test('the reason names the limit and how many runs are active', async () => {
  const id = await add(mia, { waitsFor: 'person' })
  const set = (waitsFor: WaitReason) => db().run.update({ where: { id }, data: { waitsFor } })
  const reason = async (as = mia) => (await readWaiting(as, id))?.reason
  for (const place of [1, 2]) await add(mia, { place })
  expect(await reason()).toBe('You have 2 active runs, the limit for one person.')
  expect(await reason(admin)).toBe(
    `${mia.actor.email} has 2 active runs, the limit for one person.`,
  )
  await limit({ personRuns: 1 })
  expect(await reason()).toBe('You have 2 active runs; the limit for one person is 1.')
  for (const place of [3, 4]) await add(admin, { place })
  await set('configuration')
  expect(await reason()).toBe('This configuration allows 3 runs at a time, and 4 are active.')
  await set('site')
  expect(await reason()).toBe('The site allows 4 runs at a time, and 4 are active.')
  await limit({ siteRuns: 1 })
  expect(await reason()).toBe('The site allows 1 run at a time, and 4 are active.')
  await limit({ siteRuns: 4 })
  await set('server')
  expect(await reason()).toBe('No server is running.')
  const server = { kind: 'server', host: 'elsewhere', pid: 1, room: 0 }
  const { id: serverId } = await db().instance.create({ data: { ...server, id: randomUUID() } })
  const where = { id: serverId }
  expect(await reason()).toBe('All servers are busy.')
  await db().instance.update({ where, data: { room: 3 } })
  expect(await reason()).toBe('It has its place, and a server begins it in a moment.')
  await db().instance.update({ where, data: { heartbeatAt: new Date(Date.now() - 60_000) } })
  expect(await reason()).toBe('No server is running.')
  await db().instance.delete({ where })
  const own = await add(admin, { waitsFor: 'person' })
  expect((await readWaiting(admin, own))?.reason).toBe(
    'You have 2 active runs; the limit for one person is 4.',
  )
})

test('a run and the list have it, a run that does not wait has none', async () => {
  const active = await add(mia, { place: 1, at: 1 })
  const waits = await add(mia, { waitsFor: 'site' })
  const ofSite = {
    for: 'site',
    place: 1,
    reason: 'The site allows 4 runs at a time, and 1 is active.',
  }
  const { rows } = await listRuns(mia, RunFilter.parse({}))
  expect(rows.map(({ runId, waiting }) => [runId, waiting])).toEqual([
    [active, null],
    [waits, ofSite],
  ])
  expect(await readRun(mia, waits)).toMatchObject({ waiting: ofSite })
  expect(await readRun(mia, active)).toMatchObject({ waiting: null })
  expect(await readWaiting(mia, active)).toBeNull()
})

test('a member cannot read where a run of somebody else stands', async () => {
  const id = await add(admin, { waitsFor: 'site' })
  await expect(readWaiting(mia, id)).rejects.toMatchObject({ status: 404 })
  await expect(readWaiting(mia, 'none')).rejects.toMatchObject({ status: 404 })
})

test('a terminal that follows the run says it, and says it again when it changes', async () => {
  const id = await add(mia, { waitsFor: 'person' })
  const said: string[] = []
  let stop: (why: 'unread') => void = () => undefined
  const own: Partial<Terminal> = {
    onStop: (listener) => {
      stop = listener
      return () => undefined
    },
    writeError: (text) => void said.push(text),
    drained: async () => undefined,
  }
  const followed = inTerminal(own as Terminal, () => followRun(mia, id, () => undefined))
  const because = 'You have 0 active runs; the limit for one person is'
  await expect.poll(() => said).toEqual([`Waiting: place 1. ${because} 2.\n`])
  await limit({ personRuns: 3 })
  await expect.poll(() => said).toHaveLength(2)
  expect(said[1]).toBe(`Waiting: place 1. ${because} 3.\n`)
  stop('unread')
  stop('unread')
  expect(await followed).toBe(130)
})

test('a terminal shows a run that waits, for its person and for admins', async () => {
  const id = await add(mia, { waitsFor: 'person' })
  const as = (who: Ctx, ...more: string[]) =>
    toolgate(['run', 'show', id, '--as', who.actor.email, ...more])
  expect(await as(mia)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'Waiting: place 1. You have 0 active runs; the limit for one person is 2.\n',
  })
  const { stdout } = await as(admin, '--json')
  expect(JSON.parse(stdout)).toMatchObject({ runId: id, status: 'queued', waiting: { place: 1 } })
  expect(await as(await addPerson('member'))).toMatchObject({ code: 1, stdout: '' })
})

test('a terminal shows the state of a run that has its place', async () => {
  const runId = await add(mia, { place: 1 })
  const show = async (status: 'running' | 'waiting') => {
    await db().run.update({ where: { id: runId }, data: { status } })
    return (await toolgate(['run', 'show', runId, '--as', mia.actor.email])).stdout
  }
  expect(await show('running')).toBe('It is running.\n')
  expect(await show('waiting')).toBe('Waiting for approval of a call.\n')
})

test('beyond 1,000 the place is not counted further', async () => {
  const data = { userId: mia.actor.userId, request: {}, prompt: '', waitsFor: 'site' }
  const createdAt = new Date(Date.UTC(2025, 0, 1))
  await db().run.createMany({ data: Array.from({ length: 1_005 }, () => ({ ...data, createdAt })) })
  const id = await add(mia, { waitsFor: 'site' })
  expect(await readWaiting(mia, id)).toMatchObject({ place: 1_001 })
})

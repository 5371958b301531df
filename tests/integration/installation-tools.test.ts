import { beforeAll, describe, expect, it } from 'vitest'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { newId } from '@/lib/kernel/new-id'
import type { Actor } from '@/lib/protocol/tool'
import { loadResources } from '@/lib/toolset/ports/load-resources'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { member as memberActor, openSubject } from '@/tests/support/run-fixture'

const names = [
  'get_last_exception',
  'list_schedules',
  'list_dependencies',
  'get_system_status',
  'list_users_raw',
]

let admin: Actor

beforeAll(async () => {
  admin = (await addPerson('admin', 'ada@example.org')).actor
})

const resources = () => loadResources(db(), { actor: admin, runId: newId(), configurationId: null })

async function call(name: string, args: object = {}) {
  const tool = builtinTools.find((each) => each.name === name)
  if (!tool) throw new Error(`${name} is missing.`)
  return (await callToolDirectly(tool, args, resources())).content
}

it.each(names)('%s is refused to members', (name) => {
  const tool = builtinTools.find((each) => each.name === name)
  expect(tool).toBeDefined()
  const subject = { ...openSubject, actor: memberActor }
  const on = new Map([[name, { enabled: true, reason: '', changedBy: 'Ada', changedAt: 0 }]])
  expect(decideTool(tool, { ...subject, overrides: on })).toMatchObject({
    allowed: false,
    gate: 'role',
  })
})

describe('get_last_exception', () => {
  const payload = (message: string) => ({
    err: { type: 'TypeError', message, stack: `TypeError: ${message}\n    at /etc/x.js:1:2` },
  })
  const row = (age: number, message: string, incidentId: string) => ({
    level: 'error',
    source: 'test',
    message: 'It broke',
    incidentId,
    at: new Date(Date.now() - age),
    payload: payload(message),
  })
  const hour = 3_600_000

  beforeAll(async () => {
    await db().logEntry.createMany({
      data: [
        row(50 * hour, 'no x', 'i-old'),
        row(3 * hour, 'no x', 'i-1'),
        row(2 * hour, 'no y', 'i-2'),
        row(-60_000, 'no x', 'i-3'),
        { ...row(-120_000, 'no x', 'i-4'), level: 'warn' },
      ],
    })
  })

  it('tells the newest error, and how often the same came in a day', async () => {
    expect(await call('get_last_exception')).toEqual({
      at: expect.stringMatching(/Z$/),
      incidentId: 'i-3',
      source: 'test',
      message: 'It broke',
      error: {
        type: 'TypeError',
        message: 'no x',
        stack: ['TypeError: no x', 'at [path]:1:2'],
      },
      sameInLast24Hours: '2 times',
    })
  })

  it('tells the error of an incident', async () => {
    expect(await call('get_last_exception', { incident: 'i-2' })).toMatchObject({
      error: { message: 'no y' },
      sameInLast24Hours: '1 time',
    })
    await expect(call('get_last_exception', { incident: 'i-4' })).rejects.toThrow('has no error')
  })

  it.each<[string, object, object]>([
    [
      'the error of a run',
      {
        detail: { type: 'RangeError', message: 'too far', stack: 'RangeError: too far\n    at a' },
      },
      { type: 'RangeError', message: 'too far', stack: ['RangeError: too far', 'at a'] },
    ],
    [
      'the error of a provider',
      {
        connection: 'Local',
        detail: { wire: 'openai', error: { type: 'Error', message: 'no route' } },
      },
      { type: 'Error', message: 'no route', stack: [] },
    ],
    [
      'words of a run',
      { runId: 'r', detail: 'The model stream ended without its finish.' },
      { type: 'Error', message: 'The model stream ended without its finish.', stack: [] },
    ],
    [
      'an error as text',
      { error: 'TypeError: x is not a function' },
      { type: 'TypeError', message: 'x is not a function', stack: [] },
    ],
    ['a reason', { tool: 'a', reason: 'No default export.' }, { message: 'No default export.' }],
    ['other details', { runs: 7 }, { message: '{"runs":7}' }],
  ])('tells %s from where the log has it', async (name, payload, error) => {
    const entry = { level: 'error', source: 'run', message: 'It broke', at: new Date() }
    await db().logEntry.create({ data: { ...entry, payload, incidentId: `of ${name}` } })
    const answer = await call('get_last_exception', { incident: `of ${name}` })
    expect(answer).toMatchObject({ error, sameInLast24Hours: '1 time' })
  })

  it('counts unlike errors of one message apart', async () => {
    const add = (incidentId: string, payload: object) =>
      db().logEntry.create({
        data: {
          level: 'error',
          source: 'other',
          message: 'A run broke',
          at: new Date(),
          incidentId,
          payload,
        },
      })
    await add('u-1', { runId: 'a', detail: 'one' })
    await add('u-2', { runId: 'b', detail: 'one' })
    await add('u-3', { runId: 'c', detail: 'two' })
    await add('u-4', { detail: { type: 'TypeError', message: 'one', stack: 'a' } })
    await add('u-5', { detail: { type: 'TypeError', message: 'one', stack: 'b' } })
    await add('u-6', { detail: { type: 'RangeError', message: 'one', stack: 'a' } })
    const counts = []
    for (const incident of ['u-1', 'u-3', 'u-4', 'u-6']) {
      counts.push(await call('get_last_exception', { incident }))
    }
    const expected = ['2 times', '1 time', '2 times', '1 time']
    expect(counts).toMatchObject(expected.map((sameInLast24Hours) => ({ sameInLast24Hours })))
  })
})

it('list_schedules tells the next time and what came of the last one', async () => {
  const add = (name: string, enabled: boolean, starts: { at: Date; refusal: string }[]) =>
    db().schedule.create({
      data: {
        name,
        enabled,
        cron: '0 7 * * 1-5',
        timeZone: 'UTC',
        prompt: 'Report on secrets',
        userId: admin.userId,
        createdByLabel: 'Ada',
        starts: { create: starts },
      },
    })
  await add('Daily', true, [{ at: new Date(0), refusal: 'Its configuration is off.' }])
  await add('Paused', false, [])
  const content = await call('list_schedules')
  expect(content).toMatchObject({
    total: 2,
    shown: 2,
    schedules: [
      {
        name: 'Daily',
        words: 'At 07:00, Monday through Friday',
        configuration: null,
        enabled: true,
        next: expect.stringMatching(/T07:00:00\.000Z$/),
        lastStart: {
          at: '1970-01-01T00:00:00.000Z',
          outcome: 'No run began: Its configuration is off.',
        },
      },
      { name: 'Paused', enabled: false, next: null, lastStart: null },
    ],
  })
  expect(JSON.stringify(content)).not.toContain('Report on secrets')
})

it('list_dependencies names what runs, and nothing that only builds or tests it', async () => {
  expect(await call('list_dependencies', { search: 'zod' })).toMatchObject({
    packages: expect.arrayContaining([
      { name: 'zod', version: expect.stringMatching(/^\d+\./), licence: 'MIT' },
    ]),
  })
  expect(await call('list_dependencies', { search: 'vitest' })).toMatchObject({ total: 0 })
  expect(await call('list_dependencies')).toMatchObject({ shown: 300 })
})

it('get_system_status tells how it does, and no path or address', async () => {
  const connection = { create: { name: 'Broken one', wire: 'openai', trustZone: 'local' } } as const
  const { connectionId } = await db().connectionHealth.create({
    data: { connection, failures: 5, openUntil: new Date(Date.now() + 3_600_000) },
  })
  expect(connectionId).toBeDefined()
  await db().instance.create({
    data: { id: newId(), kind: 'server', host: 'secret-host boot', pid: 1 },
  })
  const content = await call('get_system_status')
  expect(content).toMatchObject({
    servers: { count: 1, list: [{ startedAt: expect.stringMatching(/Z$/) }] },
    database: { reachable: true, newestMigration: expect.stringMatching(/^\d{14}_/) },
    eventLoopDelay: { medianMs: expect.any(Number), measuredForMs: 1_000 },
    runs: { activeRuns: 0, waitingRuns: 0 },
    connections: {
      failing: { count: 1, names: ['Broken one'] },
      circuitsOpen: { count: 1, names: ['Broken one'] },
    },
    vault: expect.any(String),
  })
  expect(Object(content).database.sizeBytes).toBeGreaterThan(1_000_000)
  expect(JSON.stringify(content)).not.toMatch(/secret-host|\/|@|\d+\.\d+\.\d+\.\d+/)
})

it('list_users_raw tells how people sign in, and never a hash', async () => {
  const limits = { tools: ['calculate'], toolGroups: null }
  const members = { create: { userId: admin.userId } }
  await db().group.create({ data: { name: 'Editors', limits, members } })
  await db().user.update({
    where: { id: admin.userId },
    data: {
      passwordHash: '$argon2id$secret-hash',
      totpApps: { create: { id: newId(), name: 'Phone', confirmedAt: new Date() } },
      recoveryCodes: { create: { codeHash: 'code-hash' } },
      sessions: { create: { expiresAt: new Date(Date.now() + 60_000), ipAddress: '203.0.113.7' } },
    },
  })
  const content = await call('list_users_raw')
  expect(Object(content).users).toContainEqual({
    id: admin.userId,
    email: 'ada@example.org',
    name: 'Test person',
    role: 'admin',
    disabled: false,
    suspendedFor: null,
    createdAt: expect.any(String),
    lastSignInAt: null,
    signIn: {
      way: 'password',
      secondFactors: ['authenticator app'],
      recoveryCodesLeft: 1,
      openSessions: 1,
      apiKeys: 0,
    },
    groups: [{ name: 'Editors', limits }],
  })
  expect(JSON.stringify(content)).not.toMatch(/hash|argon2|203\.0/)
})

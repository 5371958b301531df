import { PrismaPg } from '@prisma/adapter-pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PrismaClient } from '@/lib/generated/prisma/client'
import { configureLogSink, flushLog, log, writeLogRows } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import type { Actor } from '@/lib/protocol/tool'
import { loadResources } from '@/lib/toolset/ports/load-resources'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

let admin: Actor

function resourcesOf(actor: Actor) {
  return loadResources(db(), { actor, runId: newId(), configurationId: null })
}

beforeAll(async () => {
  admin = (await addPerson('admin', 'ada@example.org')).actor
  await addPerson('member', 'bo@example.org')
})

describe('accounts', () => {
  beforeAll(async () => {
    await addPerson('member', 'cy@example.org')
    await db().user.update({ where: { email: 'cy@example.org' }, data: { disabledAt: new Date() } })
    await addPerson('member', 'gone@example.org')
    await db().user.update({
      where: { email: 'gone@example.org' },
      data: { deletedAt: new Date() },
    })
    const everyone = await db().user.findMany()
    const members = { create: everyone.map(({ id }) => ({ userId: id })) }
    await db().group.create({ data: { name: 'Everyone', description: 'All of us', members } })
    await db().group.create({ data: { name: 'Board' } })
  })

  it('lists users by e-mail, disabled ones too, deleted ones not, and no credentials', async () => {
    const { total, users } = await resourcesOf(admin).listUsers(200)
    expect(total).toBe(3)
    expect(users.map(({ email, disabled }) => [email, disabled])).toEqual([
      ['ada@example.org', false],
      ['bo@example.org', false],
      ['cy@example.org', true],
    ])
    expect(users[0]).toEqual({
      id: admin.userId,
      email: 'ada@example.org',
      name: 'Test person',
      role: 'admin',
      disabled: false,
      suspendedFor: null,
      groups: ['Everyone'],
      createdAt: expect.stringMatching(/Z$/),
      lastSignInAt: null,
    })
    expect(await resourcesOf(admin).listUsers(1)).toMatchObject({
      total: 3,
      users: { length: 1 },
    })
  })

  it('lists groups by name with their configurations, counting no deleted member', async () => {
    const connection = { create: { name: 'Stand-in', wire: 'demo', trustZone: 'local' } } as const
    const model = { create: { modelId: 'demo', displayName: 'Demo', connection } }
    const everyone = await db().group.findUniqueOrThrow({ where: { name: 'Everyone' } })
    const groups = { create: { groupId: everyone.id } }
    await db().configuration.create({
      data: { identifier: 'help', name: 'Help actions', model, groups },
    })
    const { total, groups: listed } = await resourcesOf(admin).listGroups(200)
    expect(total).toBe(2)
    expect(listed.map(({ id: _, ...group }) => group)).toEqual([
      { name: 'Board', description: '', members: 0, configurations: [] },
      { name: 'Everyone', description: 'All of us', members: 3, configurations: ['Help actions'] },
    ])
  })
})

describe('the log', () => {
  // Log lines of later test files are not stored.
  afterAll(() =>
    configureLogSink({
      logEntry: { createMany: async () => undefined },
      $executeRaw: async () => undefined,
    }),
  )

  it('stores what was logged before and after it knew its database, newest first, without client data', async () => {
    log.error({ source: 'early' }, 'Before the database was known')
    configureLogSink(db())
    log.error(
      {
        source: 'auth',
        ipAddress: '203.0.113.7',
        userId: admin.userId,
        tries: 5,
        incidentId: 'i-1',
      },
      'Late\u0000\n2',
    )
    const lines = await resourcesOf(admin).readLogs({ level: 'debug', limit: 20 })
    // Older ones are of test files that this process ran before.
    expect(lines.slice(0, 2)).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        level: 'error',
        source: 'auth',
        message: 'Late\n2',
        incidentId: 'i-1',
      },
      expect.objectContaining({ source: 'early' }),
    ])
    const row = await db().logEntry.findFirstOrThrow({ where: { incidentId: 'i-1' } })
    expect(row).toMatchObject({
      ipAddress: '203.0.113.7',
      userId: admin.userId,
      payload: { tries: 5 },
    })
  })

  it('gives entries from the level asked for up, at most one more than a call shows', async () => {
    const at = new Date()
    const row = (level: string, index: number) => ({
      at: new Date(at.getTime() + index),
      level,
      source: 't',
      message: `${level} ${index}`,
    })
    const rows = Array.from({ length: 60 }, (_, index) =>
      row(index % 2 === 0 ? 'info' : 'warn', index),
    )
    await db().logEntry.createMany({ data: rows })
    const { readLogs } = resourcesOf(admin)
    const warnings = await readLogs({ level: 'warn', limit: 3 })
    expect(warnings.map((line) => line.message)).toEqual(['warn 59', 'warn 57', 'warn 55'])
    expect(await readLogs({ level: 'debug', limit: 1_000 })).toHaveLength(51)
  })

  it('keeps the newest 20,000 rows, and writes a batch once even when asked twice', async () => {
    await db().logEntry.deleteMany()
    await db().$executeRaw`
      INSERT INTO log_entries (id, at, level, message, source)
      SELECT gen_random_uuid(), now() - make_interval(secs => number), 'info', number::text, 'bulk'
      FROM generate_series(1, 20500) AS number`
    const row = {
      id: '0198a3b4-1111-7abc-8def-0123456789ab',
      at: new Date(),
      level: 'info',
      message: 'new',
      source: 't',
    }
    const write = writeLogRows(db())
    await write([row])
    await write([row])
    expect(await db().logEntry.count()).toBe(20_000)
    expect(await db().logEntry.count({ where: { message: 'new' } })).toBe(1)
    expect(await db().logEntry.count({ where: { message: '20000' } })).toBe(0)
  })

  it('goes on without its database, and stores the rest when it is back', async () => {
    const nowhere = new PrismaClient({
      adapter: new PrismaPg({ connectionString: 'postgresql://nobody@127.0.0.1:1/nowhere' }),
    })
    configureLogSink(nowhere)
    log.error({ source: 'outage' }, 'While it is away')
    await flushLog()
    configureLogSink(db())
    await flushLog()
    expect(await db().logEntry.count({ where: { source: 'outage' } })).toBe(1)
  })
})

it('tells what the process is, and the real version of Toolgate', () => {
  const { runtimeInfo, environment } = resourcesOf(admin)
  expect(runtimeInfo()).toMatchObject({ nodeVersion: process.version, pid: process.pid })
  expect(runtimeInfo().toolgateVersion).toMatch(/^\d+\.\d+\.\d+/)
  expect(environment().DATABASE_URL).toBe(process.env.DATABASE_URL)
})

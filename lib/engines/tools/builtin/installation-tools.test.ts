import { describe, expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryResources } from '@/tests/support/memory-resources'
import type {
  AccountLine,
  InstallationResources,
  LoggedException,
  ScheduleLine,
  SystemStatus,
} from '../installation-resources'
import getLastException from './get-last-exception'
import getSystemStatus from './get-system-status'
import listDependencies from './list-dependencies'
import listSchedules from './list-schedules'
import listUsersRaw from './list-users-raw'

const call = (
  tool: Parameters<typeof callToolDirectly>[0],
  args: object,
  own: Partial<InstallationResources>,
) => {
  const installation = { ...memoryResources().installation, ...own }
  return callToolDirectly(tool, args, { installation })
}

const secret = `sk-proj-${'aB3x'.repeat(10)}`

describe('get_last_exception', () => {
  const logged: LoggedException = {
    at: '2026-01-02T03:04:05.000Z',
    source: 'engine',
    incidentId: 'i-1',
    message: 'A run failed',
    error: {
      type: 'Error',
      message: `refused ${secret} by 10.0.0.7`,
      stack: `Error: refused ${secret}\n    at run (/srv/toolgate/lib/a.ts:1:2)\n    at /home/ada/x.js:3:4`,
    },
    sameIn24Hours: 3,
    folder: '/srv/toolgate',
  }

  it('tells the newest error with its stack, without secrets, paths and addresses', async () => {
    const requests: unknown[] = []
    const { content, leftOut } = await call(
      getLastException,
      {},
      {
        lastException: async (incident) => {
          requests.push(incident)
          return logged
        },
      },
    )
    expect(requests).toEqual([null])
    expect(content).toEqual({
      at: logged.at,
      incidentId: 'i-1',
      source: 'engine',
      message: 'A run failed',
      error: {
        type: 'Error',
        message: 'refused [redacted] by [address]',
        stack: ['Error: refused [redacted]', 'at run (lib/a.ts:1:2)', 'at [path]:3:4'],
      },
      sameInLast24Hours: '3 times',
    })
    expect(leftOut).toEqual([
      { what: '2 parts', why: expect.stringContaining('[redacted]') },
      { what: '2 paths and addresses', why: expect.stringContaining('the server') },
    ])
  })

  it('holds to its limits', async () => {
    const long = { type: 'Error', message: 'x '.repeat(9_000), stack: 'at x\n'.repeat(500) }
    const { content, leftOut } = await call(
      getLastException,
      {},
      {
        lastException: async () => ({ ...logged, error: long }),
      },
    )
    expect(leftOut).toEqual([
      { what: 'the end of the message', why: expect.stringContaining('2,000 characters') },
      { what: 'the end of the stack', why: expect.stringContaining('40 lines') },
    ])
    expect(content).toHaveProperty('error.message.length', 2_001)
    expect(content).toHaveProperty('error.stack.length', 40)
  })

  it('says that there is no error, and none of an incident', async () => {
    expect(await call(getLastException, {}, {})).toEqual({
      content: 'The log has no error.',
      leftOut: [],
    })
    await expect(call(getLastException, { incident: 'i-9' }, {})).rejects.toThrow(
      'The log has no error of this incident.',
    )
    await expect(call(getLastException, { incident: '' }, {})).rejects.toThrow()
  })
})

describe('list_schedules', () => {
  const schedule: ScheduleLine = {
    name: 'Report',
    cron: '0 7 * * 1-5',
    words: 'At 07:00, Monday through Friday',
    timeZone: 'UTC',
    enabled: true,
    next: '2026-01-02T07:00:00.000Z',
    task: null,
    configuration: 'Help',
    lastStart: { at: '2026-01-01T07:00:00.000Z', outcome: `No run began: ${secret}` },
  }

  it('lists 100 at most, and nothing else that a row may carry', async () => {
    const rows = Array.from({ length: 150 }, () => ({ ...schedule, prompt: 'x' }))
    const { content } = await call(
      listSchedules,
      {},
      {
        schedules: async () => ({ total: 150, schedules: rows }),
      },
    )
    expect(content).toMatchObject({ total: 150, shown: 100 })
    expect(content).toHaveProperty('schedules.0', {
      ...schedule,
      lastStart: { ...schedule.lastStart, outcome: 'No run began: [redacted]' },
    })
  })
})

describe('list_dependencies', () => {
  const packages = async () => [
    ...Array.from({ length: 400 }, (_, index) => {
      return { name: `package-${index}`, version: '1.0.0', licence: 'MIT', place: '/srv' }
    }),
    { name: '@scope/Zod', version: '4.0.0', licence: 'MIT' },
  ]

  it('lists 300 at most, and finds a part of a name', async () => {
    expect((await call(listDependencies, {}, { packages })).content).toMatchObject({
      total: 401,
      shown: 300,
    })
    expect((await call(listDependencies, { search: ' zod' }, { packages })).content).toEqual({
      total: 1,
      shown: 1,
      packages: [{ name: '@scope/Zod', version: '4.0.0', licence: 'MIT' }],
    })
  })

  it('says that it does not know them', async () => {
    const request = call(listDependencies, {}, { packages: async () => null })
    await expect(request).rejects.toThrow('This installation has no list of its packages.')
  })
})

describe('get_system_status', () => {
  it('tells figures with their units, and no more names than it may', async () => {
    const status: SystemStatus = {
      servers: Array.from({ length: 60 }, (_, index) => {
        return { startedAt: '2026-01-01T00:00:00.000Z', isThisOne: index === 0, host: 'prod-1' }
      }),
      database: { reachable: true, sizeBytes: 9, newestMigration: '2026_first' },
      disk: { freeBytes: 1, totalBytes: 2 },
      eventLoopDelay: { medianMs: 0.1, p99Ms: 2, measuredForMs: 1_000 },
      runs: { active: 2, waiting: 1 },
      connections: { failing: Array.from({ length: 30 }, () => 'OpenAI'), circuitsOpen: [] },
      vault: 'ok',
    }
    const { content } = await call(getSystemStatus, {}, { status: async () => status })
    expect(content).toMatchObject({
      servers: { count: 60, list: { length: 50 } },
      database: status.database,
      diskOfDataFolder: status.disk,
      runs: { activeRuns: 2, waitingRuns: 1 },
      connections: { failing: { count: 30, names: { length: 20 } }, circuitsOpen: { count: 0 } },
      vault: 'ok',
    })
    expect(content).toHaveProperty('servers.list.0', {
      startedAt: '2026-01-01T00:00:00.000Z',
      answersThis: true,
    })
    expect(JSON.stringify(content)).not.toContain('prod-1')
  })
})

describe('list_users_raw', () => {
  it('lists 100 at most, with facts of how people sign in and nothing secret', async () => {
    const account: AccountLine = {
      id: 'u-1',
      email: 'ada@example.com',
      name: 'Ada',
      role: 'admin',
      disabled: false,
      suspendedFor: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      lastSignInAt: null,
      signIn: {
        way: 'password',
        secondFactors: ['passkey'],
        recoveryCodesLeft: 8,
        openSessions: 1,
        apiKeys: 0,
      },
      groups: [{ name: 'Editors', limits: { tools: ['calculate'], toolGroups: null } }],
    }
    const row = { ...account, passwordHash: '$argon2id$x', tokenHash: 'y' }
    const { content } = await call(
      listUsersRaw,
      {},
      {
        accountFacts: async () => ({ total: 140, users: Array.from({ length: 140 }, () => row) }),
      },
    )
    expect(content).toMatchObject({ total: 140, shown: 100 })
    expect(content).toHaveProperty('users.0', account)
  })
})

it.each([getSystemStatus, listSchedules, listUsersRaw])(
  'takes no arguments ($name)',
  async (tool) => {
    await expect(call(tool, { limit: 1_000 }, {})).rejects.toThrow('it takes none')
  },
)

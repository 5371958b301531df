import { readdirSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '@/lib/kernel/db'
import { policyQuery } from '@/lib/toolset/policy/read-policy-state'
import { openPolicyCache } from './policy-cache'

/** Matches the functions and words of PostgreSQL that read a clock. */
const clock =
  /\b(?:now|age|(?:clock|statement|transaction)_timestamp|timeofday|current_(?:date|time|timestamp)|localtime(?:stamp)?)\b/i

const question = (userId: string) => ({
  userId,
  apiKeyId: null,
  snapshot: null,
  selected: null,
})

/** Returns a cache whose database answers with the version that `now` says, and what counts its reads. */
function open() {
  const now = { version: '1' }
  const actor = {
    userId: 'ana',
    email: 'ana@example.org',
    role: 'admin',
    groups: [],
    limitedBy: null,
  }
  const state = {
    actor,
    accessEpoch: 0,
    apiKey: null,
    configuration: null,
    task: null,
    accounts: null,
    connections: null,
    models: null,
  }
  const run = { ...state, approvers: null }
  const site = {
    freeze: null,
    freezes: 0,
    lastFreeze: null,
    present: [],
    groupsOff: null,
    overrides: null,
    toolApprovals: null,
    limits: null,
    remote: null,
    approvalRules: null,
  }
  const read = vi.fn(async () => [
    { ...site, approvalLifetimeMs: null, version: now.version, runs: [run] },
  ])
  const client = { $queryRaw: read } as unknown as Database['client']
  const listeners: (() => void)[] = []
  const cache = openPolicyCache(
    { ...openDatabase('postgres://nobody@127.0.0.1:1/none', 1), client },
    {
      subscribe: (_channel, listener) => {
        listeners.push(() => listener(''))
        return () => undefined
      },
      notifyLocally: () => undefined,
      isListening: () => true,
      query: async () => [],
      close: async () => undefined,
    },
  )
  return { cache, now, read, notify: () => listeners.forEach((listener) => void listener()) }
}

test('a newer version makes everything older forgotten, before its notification arrives', async () => {
  const { cache, now, read } = open()
  await cache.read(question('ana'))
  expect(await cache.read(question('ana'))).toMatchObject({ version: '1', fresh: false })
  expect(read).toHaveBeenCalledTimes(1)
  now.version = '2'
  await cache.read(question('ben'))
  expect(await cache.read(question('ana'))).toMatchObject({ version: '2', fresh: true })
  expect(await cache.version()).toBe('2')
  expect(read).toHaveBeenCalledTimes(3)
})

test('a notification makes the version unknown', async () => {
  const { cache, now, notify } = open()
  await cache.read(question('ana'))
  now.version = '3'
  expect(await cache.version()).toBe('1')
  notify()
  expect(await cache.version()).toBe('3')
})

test('what is kept until the version rises does not depend on the time, which raises none', () => {
  const advice =
    'A reading that holds for a time needs its end: let Known in policy-cache.ts keep it, read again after it, and test that.'
  const sources = ['lib/engines/runtime/policy', 'lib/toolset/policy'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  expect(sources.length).toBeGreaterThan(20)
  const timed = sources.filter((file) =>
    /\b(?:Date\.now|new Date\(\)|performance\.now)/.test(readFileSync(file, 'utf8')),
  )
  expect(clock.exec(policyQuery([]).text)?.[0], advice).toBeUndefined()
  expect(timed, advice).toEqual([])
})

test.each(['SELECT clock_timestamp()', 'WHERE "endsAt" > now()', 'SELECT CURRENT_TIME'])(
  'a clock is found in %s',
  (statement) => {
    expect(statement).toMatch(clock)
  },
)

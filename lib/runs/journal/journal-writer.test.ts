import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { type JournalWriter, openJournalWriter } from './journal-writer'
import type { Entry } from './write-entries'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  // In this order: a spy of a fake timer, restored later, would bring the fake one back to the other files.
  vi.restoreAllMocks()
  vi.useRealTimers()
})

type Sent = { name: string; values: unknown[] }

/** Opens a writer on a database that stores everything, and returns what it sent. Statements take `tookMs`, one after the other. */
function open(tookMs: number[] = []) {
  const sent: Sent[] = []
  const query = async ({ name, values }: Sent) => {
    sent.push({ name, values })
    const waitMs = tookMs.shift()
    if (waitMs) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const rows = name === 'notify' ? [] : JSON.parse(String(values[0]))
    return { rows: rows.map((row: object) => ({ ...row, isOwned: true, version: null })) }
  }
  const writer = openJournalWriter({ pool: { query } } as unknown as Database, 'an-engine', {
    retryMs: 1_000,
    goesOn: () => true,
  })
  return { sent, writer }
}

async function write(writer: JournalWriter, runId: string, seq: number): Promise<unknown> {
  const event = { runId, seq, at: 0, type: 'cancel-requested', data: { by: 'Ada', reason: '' } }
  const written = writer.write({
    facts: { runId, snapshot: {} },
    events: [event],
  } as unknown as Entry)
  await vi.advanceTimersByTimeAsync(0)
  return written
}

/** Opens a writer whose database breaks off the first statement, and says what of it is stored. */
function openBroken(stored: object[], code = 'ECONNRESET') {
  const sent: string[] = []
  const query = async ({ name }: { name?: string }, input?: unknown[]) => {
    if (input) return { rows: stored }
    sent.push(String(name))
    if (sent.length === 1) throw Object.assign(new Error('reset'), { code })
    return { rows: [{ runId: 'one', isOwned: true, version: null }] }
  }
  const writer = openJournalWriter({ pool: { query } } as unknown as Database, 'an-engine', {
    retryMs: 1_000,
    goesOn: () => true,
  })
  return { sent, writer }
}

test.each([
  ['was not stored is written again', [], 2],
  [
    'was stored before its answer was lost is not written twice',
    [{ type: 'cancel-requested', at: '0' }],
    1,
  ],
  ['another process wrote is found by writing again', [{ type: 'message', at: '0' }], 2],
])('what %s once the database is back', async (_what, rows, statements) => {
  vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const { sent, writer } = openBroken(rows.map((row) => ({ ...row, runId: 'one' })))
  const written = write(writer, 'one', 2)
  await vi.advanceTimersByTimeAsync(1_100)
  expect(await written).toBe('written')
  expect(sent.filter((name) => name.startsWith('journal'))).toHaveLength(statements)
})

test.each(['40P01', '40001'])(
  'what PostgreSQL refused with %s, because of another transaction, is written again',
  async (code) => {
    const { sent, writer } = openBroken([], code)
    const written = write(writer, 'one', 2)
    expect(await written).toBe('written')
    expect(sent).toHaveLength(2)
  },
)

test('watchers in other processes are told at once, and then of all runs together', async () => {
  const { sent, writer } = open()
  expect(await write(writer, 'one', 2)).toBe('written')
  await write(writer, 'one', 3)
  await write(writer, 'two', 7)
  await write(writer, 'one', 4)
  const notices = sent.map(({ values }) => values[3])
  expect(notices).toEqual(['an-engine one:2', null, null, null])
  await vi.advanceTimersByTimeAsync(100)
  expect(sent.slice(4)).toMatchObject([
    { name: 'notify', values: ['toolgate_run', ['an-engine two:7 one:4']] },
  ])
  await write(writer, 'two', 8)
  await write(writer, 'one', 5)
  await vi.advanceTimersByTimeAsync(25)
  await write(writer, 'two', 9)
  await vi.advanceTimersByTimeAsync(100)
  expect(sent.at(-1)?.values[3]).toBe('an-engine one:5 two:9')
})

test('an engine that closes tells what it has not told', async () => {
  const { sent, writer } = open()
  await write(writer, 'one', 2)
  await write(writer, 'one', 3)
  await writer.tellAll()
  await writer.tellAll()
  await vi.advanceTimersByTimeAsync(100)
  expect(sent.slice(2)).toMatchObject([
    { name: 'notify', values: ['toolgate_run', ['an-engine one:3']] },
  ])
})

test('events that a slow statement stored are published at once after it, without a negative wait', async () => {
  const { sent, writer } = open([0, 60])
  await write(writer, 'one', 2)
  const setTimeout = vi.spyOn(globalThis, 'setTimeout')
  const second = write(writer, 'one', 3)
  await vi.advanceTimersByTimeAsync(61)
  expect(await second).toBe('written')
  expect(sent.at(-1)?.values).toEqual(['toolgate_run', ['an-engine one:3']])
  expect(setTimeout.mock.calls.map(([, waitMs]) => waitMs)).toEqual([60, 0])
})

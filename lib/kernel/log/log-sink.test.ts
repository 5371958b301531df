import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from './create-logger'
import { createLogSink, type LogRow, logRow } from './log-sink'

const row = (message: string): LogRow => ({
  id: message,
  at: new Date(0),
  level: 'info',
  source: 't',
  message,
})

/** Returns a database in memory that can be made to fail. */
function storage() {
  const written: LogRow[] = []
  const batches: number[] = []
  const state = { failing: false, tries: 0 }
  const write = async (rows: LogRow[]) => {
    state.tries += 1
    if (state.failing) throw new Error('down')
    batches.push(rows.length)
    written.push(...rows)
  }
  return { written, batches, state, write, messages: () => written.map((line) => line.message) }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('createLogSink', () => {
  it('writes what was pushed before and after it was connected, in order, in batches', async () => {
    const store = storage()
    const sink = createLogSink({ batchSize: 2, flushMs: 500, onFailure: () => {} })
    for (const text of ['a', 'b', 'c']) sink.push(row(text))
    await sink.flush()
    expect(store.written).toEqual([])
    sink.connect(store.write)
    sink.push(row('d'))
    sink.push(row('e'))
    await vi.advanceTimersByTimeAsync(499)
    expect(store.written).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(store.messages()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(store.batches).toEqual([2, 2, 1])
  })

  it('sets no timer while it has nothing to do', async () => {
    const store = storage()
    const sink = createLogSink({ onFailure: () => {} })
    sink.connect(store.write)
    expect(vi.getTimerCount()).toBe(0)
    sink.push(row('a'))
    expect(vi.getTimerCount()).toBe(1)
    await vi.runAllTimersAsync()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('drops what does not fit, and writes how many that were', async () => {
    const store = storage()
    const sink = createLogSink({ maxQueue: 3, onFailure: () => {} })
    sink.connect(store.write)
    for (let index = 0; index < 10; index += 1) sink.push(row(String(index)))
    await sink.flush()
    expect(store.messages()).toEqual([
      '7 log entries were dropped: the database could not keep up.',
      '0',
      '1',
      '2',
    ])
  })

  it('keeps rows while the database is down, tries less and less often, and tells of it once', async () => {
    const store = storage()
    const failures: unknown[] = []
    const sink = createLogSink({ flushMs: 500, onFailure: (error) => failures.push(error) })
    sink.connect(store.write)
    store.state.failing = true
    sink.push(row('a'))
    await vi.advanceTimersByTimeAsync(500 + 1_000 + 2_000)
    expect(store.state.tries).toBe(3)
    sink.push(row('b'))
    store.state.failing = false
    await vi.advanceTimersByTimeAsync(4_000)
    expect(store.messages()).toEqual(['a', 'b'])
    expect(failures).toHaveLength(1)
  })

  it('gives a batch up that fails again and again, and says so once it can', async () => {
    const store = storage()
    const sink = createLogSink({ flushMs: 10, maxAttempts: 3, batchSize: 2, onFailure: () => {} })
    sink.connect(store.write)
    store.state.failing = true
    for (const text of ['a', 'b', 'c']) sink.push(row(text))
    for (let attempt = 0; attempt < 3; attempt += 1) await sink.flush()
    store.state.failing = false
    await sink.flush()
    expect(store.messages()).toEqual([
      '2 log entries were dropped: the database could not keep up.',
      'c',
    ])
  })

  it('never rejects a flush', async () => {
    const sink = createLogSink({ onFailure: () => {} })
    sink.connect(() => Promise.reject(new Error('down')))
    sink.push(row('a'))
    await expect(sink.flush()).resolves.toBeUndefined()
  })

  it('writes rows pushed during a write with the next one', async () => {
    const store = storage()
    const sink = createLogSink({ onFailure: () => {} })
    sink.connect(async (rows) => {
      if (store.written.length === 0) sink.push(row('late'))
      await store.write(rows)
    })
    sink.push(row('early'))
    await sink.flush()
    expect(store.messages()).toEqual(['early', 'late'])
  })
})

function rowOf(fields: object, message = 'm') {
  let row: ReturnType<typeof logRow> = null
  const logger = createLogger((line) => {
    row = logRow(line)
  }, 'debug')
  logger.info(fields, message)
  return row
}

describe('logRow', () => {
  it('takes every field of a line to its column', () => {
    const userId = '0198a3b4-1111-7abc-8def-0123456789ab'
    expect(
      rowOf({ source: 'auth', incidentId: 'i', ipAddress: '::1', userId, tries: 5 }, 'No'),
    ).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.any(Date),
      level: 'info',
      message: 'No',
      source: 'auth',
      incidentId: 'i',
      ipAddress: '::1',
      userId,
      payload: { tries: 5 },
    })
  })

  it('stands in for what is missing or does not fit its column', () => {
    expect(rowOf({ userId: 'system' })).toMatchObject({
      source: 'toolgate',
      userId: null,
      incidentId: null,
    })
    expect(rowOf({ source: 'x'.repeat(500) })).toMatchObject({ source: 'toolgate' })
    expect(rowOf({})).not.toHaveProperty('payload')
  })

  it('bounds the payload', () => {
    const lists = Array.from({ length: 50 }, () => 'word '.repeat(1_000))
    const row = rowOf({ lists })
    expect(JSON.stringify(row).length).toBeLessThan(40_000)
    expect(row).toHaveProperty('payload.characters')
  })

  it('leaves out debug lines and what is no line of the logger', () => {
    const lines: string[] = []
    createLogger((line) => lines.push(line), 'debug').debug('small talk')
    expect([...lines, 'text', '', '{}', 'null'].map(logRow)).toEqual([null, null, null, null, null])
  })

  it('stores a fatal line as an error', () => {
    let row: ReturnType<typeof logRow> = null
    createLogger((line) => {
      row = logRow(line)
    }, 'info').fatal('over')
    expect(row).toMatchObject({ level: 'error' })
  })
})

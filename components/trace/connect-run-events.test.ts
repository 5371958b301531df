import { describe, expect, it } from 'vitest'
import { endOf, isDelta, type RunUpdate } from '@/lib/protocol/run-delta'
import type { RunEvent } from '@/lib/protocol/run-event'
import {
  type ConnectionState,
  connectRunEvents,
  type StreamHandlers,
  type StreamPort,
} from './connect-run-events'

const runId = '019a0000-0000-7000-8000-000000000001'

class FakeStream {
  closed = false
  constructor(
    readonly url: string,
    private readonly handlers: StreamHandlers,
  ) {}
  accept() {
    this.handlers.onOpen()
  }
  send(...updates: RunUpdate[]) {
    for (const update of updates) {
      const id = isDelta(update) ? `5.${update.data.round}.${endOf(update)}` : String(update.seq)
      this.handlers.onData(JSON.stringify(update), id)
    }
  }
  /** Loses the network; the browser tries again by itself. */
  drop() {
    this.handlers.onLost(false)
  }
  /** Answers with something that is not a stream. */
  refuse() {
    this.handlers.onLost(true)
  }
}

function event(seq: number): RunEvent {
  return { runId, seq, at: 0, type: 'cancel-requested', data: { by: 'Ada', reason: '' } }
}

function piece(offset: number, text: string): RunUpdate {
  return { runId, start: 5, offset, type: 'text-delta', data: { round: 1, text } }
}

const end: RunEvent = {
  runId,
  seq: 9,
  at: 0,
  type: 'run-end',
  data: {
    reason: 'completed',
    truncated: false,
    message: 'Done.',
    failure: null,
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      estimated: false,
    },
    costMicroUsd: 0,
    wallTimeMs: 1,
  },
}

function connect(after = 0, statuses: (number | 'down')[] = []) {
  const streams: FakeStream[] = []
  const batches: (number | string)[][] = []
  const connections: ConnectionState[] = []
  const pauses: number[] = []
  let frame: (() => void) | null = null
  let timer: (() => void) | null = null
  const port: StreamPort = {
    open: (url, handlers) => {
      const stream = new FakeStream(url, handlers)
      streams.push(stream)
      return () => {
        stream.closed = true
      }
    },
    probe: async () => {
      const status = statuses.shift() ?? 200
      if (status === 'down') throw new TypeError('Failed to fetch')
      return status
    },
    after: (ms, then) => {
      pauses.push(ms)
      timer = then
      return () => {
        timer = null
      }
    },
    nextFrame: (then) => {
      frame = then
      return () => {
        frame = null
      }
    },
    random: () => 1,
  }
  const stop = connectRunEvents({
    runId,
    after,
    port,
    onUpdates: (updates) =>
      batches.push(updates.map((each) => (isDelta(each) ? `at ${each.offset}` : each.seq))),
    onConnection: (state) => connections.push(state),
  })
  const newest = () => {
    const stream = streams.at(-1)
    if (!stream) throw new Error('nothing was opened')
    return stream
  }
  return {
    streams,
    batches,
    connections,
    pauses,
    stop,
    newest,
    paint: () => frame?.(),
    elapse: async () => {
      timer?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('connectRunEvents', () => {
  it('hands over what came since the last frame at once', () => {
    const run = connect(3)
    expect(run.newest().url).toBe(`/api/runs/${runId}/events?after=3`)
    run.newest().accept()
    run.newest().send(event(4), event(5))
    expect(run.batches).toEqual([])
    run.paint()
    run.newest().send(event(6))
    run.paint()
    expect(run.batches).toEqual([[4, 5], [6]])
    expect(run.connections).toEqual(['connecting', 'live'])
  })

  it('ignores what it has seen when the browser repeats the request', () => {
    const run = connect()
    run.newest().accept()
    run.newest().send(event(1), event(2))
    run.newest().drop()
    run.newest().accept()
    run.newest().send(event(2), event(3))
    run.paint()
    expect(run.batches).toEqual([[1, 2, 3]])
    expect(run.streams).toHaveLength(1)
    expect(run.connections).toEqual(['connecting', 'live', 'reconnecting', 'live'])
  })

  it('opens anew after the last event when the browser gave up, waiting longer each time', async () => {
    const run = connect(0, [503, 'down', 200])
    run.newest().accept()
    run.newest().send(event(1), event(2))
    run.newest().refuse()
    await run.elapse()
    await run.elapse()
    expect(run.streams).toHaveLength(1)
    await run.elapse()
    expect(run.newest().url).toBe(`/api/runs/${runId}/events?after=2`)
    expect(run.pauses).toEqual([250, 500, 1000])
    run.newest().accept()
    run.newest().send(event(3), end)
    expect(run.batches.flat()).toEqual([1, 2, 3, 9])
    expect(run.connections.at(-1)).toBe('closed')
  })

  it('hands over pieces of answers with the events, and goes on after the last one', async () => {
    const run = connect(3, [200])
    run.newest().accept()
    run.newest().send(event(4), event(5), piece(0, 'Once '), piece(5, 'upon'))
    run.newest().refuse()
    await run.elapse()
    expect(run.newest().url).toBe(`/api/runs/${runId}/events?after=5.1.9`)
    run.newest().send(piece(9, ' a time'), event(6))
    run.paint()
    expect(run.batches).toEqual([[4, 5, 'at 0', 'at 5', 'at 9', 6]])
  })

  it.each([401, 403, 404])('stops asking on %i', async (status) => {
    const run = connect(0, [status])
    run.newest().refuse()
    await run.elapse()
    expect(run.streams).toHaveLength(1)
    expect(run.connections).toEqual(['connecting', 'reconnecting', 'refused'])
  })

  it('closes at the end of the run without waiting for a frame, and ignores later events', () => {
    const run = connect()
    run.newest().accept()
    run.newest().send(event(1), end)
    expect(run.batches).toEqual([[1, 9]])
    expect(run.newest().closed).toBe(true)
    run.newest().send({ ...event(10) })
    run.newest().drop()
    expect(run.batches).toEqual([[1, 9]])
    expect(run.connections).toEqual(['connecting', 'live', 'closed'])
  })

  it('is silent after it was stopped, even in the middle of a retry', async () => {
    const run = connect(0, [200])
    run.newest().send(event(1))
    run.newest().refuse()
    const elapsed = run.elapse()
    run.stop()
    await elapsed
    run.paint()
    expect(run.batches).toEqual([])
    expect(run.streams).toHaveLength(1)
  })
})

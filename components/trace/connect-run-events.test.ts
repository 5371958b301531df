import { describe, expect, it } from 'vitest'
import { endOf, isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { connectRunEvents, type FollowPort } from './connect-run-events'
import type { ConnectionState, LiveListener } from './live-hub'

const runId = '019a0000-0000-7000-8000-000000000001'

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

function connect(after = 0, isShown = true) {
  const follows: { place: string; listener: LiveListener; left: boolean }[] = []
  const batches: (number | string)[][] = []
  const connections: ConnectionState[] = []
  let frame: (() => void) | null = null
  let shown: (() => void) | null = null
  let hidden: (() => void) | null = null
  const port: FollowPort = {
    follow: (_runId, place, listener) => {
      const one = { place, listener, left: false }
      follows.push(one)
      return () => {
        one.left = true
      }
    },
    nextFrame: (then) => {
      frame = then
      return () => {
        frame = null
      }
    },
    whileShown: (show, hide) => {
      shown = show
      hidden = hide
      if (isShown) show()
      return () => {
        shown = null
        hidden = null
      }
    },
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
    const one = follows.at(-1)
    if (!one) throw new Error('nothing was followed')
    return one
  }
  return {
    follows,
    batches,
    connections,
    stop,
    send: (...updates: RunUpdate[]) => {
      for (const update of updates) {
        const place = isDelta(update) ? `5.${update.data.round}.${endOf(update)}` : `${update.seq}`
        newest().listener.onUpdate(JSON.stringify(update), place)
      }
    },
    say: (state: ConnectionState) => newest().listener.onState(state),
    paint: () => frame?.(),
    show: () => shown?.(),
    hide: () => hidden?.(),
  }
}

describe('connectRunEvents', () => {
  it('hands over what came since the last frame at once', () => {
    const run = connect(3)
    expect(run.follows[0]?.place).toBe('3')
    run.say('live')
    run.send(event(4), event(5))
    expect(run.batches).toEqual([])
    run.paint()
    run.send(event(6))
    run.paint()
    expect(run.batches).toEqual([[4, 5], [6]])
    expect(run.connections).toEqual(['connecting', 'live'])
  })

  it('ignores events that it has seen, and hands over pieces of answers between them', () => {
    const run = connect(3)
    run.send(event(4), event(5), piece(0, 'Once '), event(5), piece(5, 'upon'), event(6))
    run.paint()
    expect(run.batches).toEqual([[4, 5, 'at 0', 'at 5', 6]])
  })

  it('lets go while the tab is hidden, and goes on from where it was', () => {
    const run = connect(3)
    run.send(event(4), event(5), piece(0, 'Once '))
    run.hide()
    expect(run.batches).toEqual([[4, 5, 'at 0']])
    expect(run.follows[0]?.left).toBe(true)
    run.show()
    run.show()
    expect(run.follows.map(({ place }) => place)).toEqual(['3', '5.1.5'])
    run.send(piece(5, 'upon'), event(6))
    run.paint()
    expect(run.batches.flat()).toEqual([4, 5, 'at 0', 'at 5', 6])
  })

  it('follows nothing in a tab that was opened behind others until it is shown', () => {
    const run = connect(3, false)
    expect(run.follows).toEqual([])
    run.show()
    expect(run.follows).toHaveLength(1)
  })

  it.each(['refused', 'closed'] as const)('ends when the run is %s', (state) => {
    const run = connect()
    run.say('reconnecting')
    run.say(state)
    expect(run.follows[0]?.left).toBe(true)
    run.show()
    expect(run.follows).toHaveLength(1)
    expect(run.connections).toEqual(['connecting', 'reconnecting', state])
  })

  it('closes at the end of the run without waiting for a frame, and ignores what follows', () => {
    const run = connect()
    run.say('live')
    run.send(event(1), end)
    expect(run.batches).toEqual([[1, 9]])
    expect(run.follows[0]?.left).toBe(true)
    run.send(event(10))
    run.say('reconnecting')
    run.paint()
    expect(run.batches).toEqual([[1, 9]])
    expect(run.connections).toEqual(['connecting', 'live', 'closed'])
  })

  it('is silent after it was stopped', () => {
    const run = connect()
    run.send(event(1))
    run.stop()
    run.paint()
    run.show()
    expect(run.batches).toEqual([])
    expect(run.follows).toHaveLength(1)
  })
})

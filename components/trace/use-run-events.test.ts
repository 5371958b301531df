import { describe, expect, it } from 'vitest'
import { endOf, isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { ConnectionState, LiveListener } from './live-hub'
import { connectRunEvents, type FollowPort, openPace } from './use-run-events'

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

/** Plays a page where showing news takes so long each time, for so many milliseconds. Returns when it showed them. */
function playPage(costMs: number, newsEveryMs: number, forMs: number): number[] {
  let now = 0
  let order = 0
  let timers: { at: number; order: number; then: () => void }[] = []
  const after = (ms: number, then: () => void) => {
    const timer = { at: now + ms, order: order++, then }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }
  const nextFrame = openPace({ now: () => now, after, frame: (then) => after(16, then) })
  const shown: number[] = []
  let waits = false
  const arrive = () => {
    after(newsEveryMs, arrive)
    if (waits) return
    waits = true
    nextFrame(() => {
      waits = false
      shown.push(now)
      now += costMs
    })
  }
  arrive()
  while (now < forMs) {
    const [next] = timers.toSorted((a, b) => a.at - b.at || a.order - b.order)
    if (!next) break
    timers = timers.filter((other) => other !== next)
    now = Math.max(now, next.at)
    next.then()
  }
  return shown
}

describe('the pace of a page', () => {
  it('shows the first news in the next frame', () => {
    expect(playPage(5, 40, 1_000)[0]).toBe(16)
  })

  for (const costMs of [1, 5, 20, 60]) {
    it(`leaves a page most of its time when news take ${costMs} ms to show`, () => {
      const shown = playPage(costMs, 5, 20_000)
      expect((shown.length * costMs) / 20_000).toBeLessThan(0.2)
      expect(shown.length).toBeGreaterThan(30)
    })
  }

  it('never rests long, however long showing took', () => {
    const shown = playPage(400, 5, 20_000)
    const gaps = shown.slice(1).map((at, index) => at - (shown[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(1_000)
  })

  it('shows nothing that was called off', () => {
    const timers: (() => void)[] = []
    const after = (_ms: number, then: () => void) => {
      timers.push(then)
      return () => void timers.splice(0)
    }
    const shown: string[] = []
    const nextFrame = openPace({ now: () => 0, after, frame: (then) => after(16, then) })
    nextFrame(() => shown.push('called off'))()
    for (const then of timers.splice(0)) then()
    expect(shown).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { followThrough, type TabMessage, type WorkerMessage } from './follow-live'
import { type ConnectionState, type HubPort, type LiveListener, openLiveHub } from './live-hub'

type Handlers = Parameters<HubPort['open']>[1]

/** Returns a hub with streams and time that the test moves. `statuses`: what probes answer, in order; then 200. */
function openHub(statuses: (number | 'down')[] = []) {
  const streams: { url: string; handlers: Handlers; closed: boolean }[] = []
  const pauses: number[] = []
  let timer: (() => void) | null = null
  const follow = openLiveHub({
    open: (url, handlers) => {
      const stream = { url, handlers, closed: false }
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
        if (timer === then) timer = null
      }
    },
    random: () => 1,
  })
  const elapse = async () => {
    const due = timer
    timer = null
    due?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const newest = () => {
    const stream = streams.at(-1)
    if (!stream) throw new Error('nothing was opened')
    return stream
  }
  return { follow, streams, pauses, elapse, newest, open: () => streams.filter((s) => !s.closed) }
}

function listen() {
  const heard: string[] = []
  const states: ConnectionState[] = []
  const listener: LiveListener = {
    onUpdate: (data, place) => heard.push(`${data} ${place}`),
    onState: (state) => states.push(state),
  }
  return { heard, states, listener }
}

describe('openLiveHub', () => {
  it('follows all runs of all tabs with one stream, each from its own place', async () => {
    const hub = openHub()
    const [first, again, second] = [listen(), listen(), listen()]
    hub.follow('run-a', '3', first.listener)
    hub.follow('run-a', '5', again.listener)
    hub.follow('run-b', '4.1.7', second.listener)
    await hub.elapse()
    expect(hub.streams.map(({ url }) => url)).toEqual(['/api/events?run=run-a:3&run=run-b:4.1.7'])
    hub.newest().handlers.onOpen()
    hub.newest().handlers.onUpdate('run-a:4', 'news')
    expect([first.heard, again.heard, second.heard]).toEqual([['news 4'], ['news 4'], []])
    expect(second.states).toEqual(['live'])
  })

  it('opens anew from where it is when a run is added or left, and for a tab that is behind', async () => {
    const hub = openHub()
    const leave = hub.follow('run-a', '1', listen().listener)
    await hub.elapse()
    hub.newest().handlers.onUpdate('run-a:9', 'x')
    hub.follow('run-b', '2', listen().listener)
    await hub.elapse()
    hub.follow('run-b', '1.1.4', listen().listener)
    // Updates of the old stream would be after the place of this tab.
    expect(hub.open()).toEqual([])
    await hub.elapse()
    leave()
    await hub.elapse()
    expect(hub.streams.map(({ url }) => url.split('?')[1])).toEqual([
      'run=run-a:1',
      'run=run-a:9&run=run-b:2',
      'run=run-a:9&run=run-b:1.1.4',
      'run=run-b:1.1.4',
    ])
    expect(hub.open()).toHaveLength(1)
  })

  it('ends a run for its tabs alone, and closes the stream with the last one', async () => {
    const hub = openHub()
    const [a, b] = [listen(), listen()]
    hub.follow('run-a', '1', a.listener)
    hub.follow('run-b', '1', b.listener)
    await hub.elapse()
    hub.newest().handlers.onEnd(JSON.stringify({ runId: 'run-a', refused: true }))
    expect([a.states, b.states, hub.open().length]).toEqual([['refused'], [], 1])
    hub.newest().handlers.onEnd(JSON.stringify({ runId: 'run-b', refused: false }))
    expect([b.states, hub.open()]).toEqual([['closed'], []])
  })

  it('opens anew after a loss, waiting longer each time', async () => {
    const hub = openHub([503, 'down', 200])
    const tab = listen()
    hub.follow('run-a', '1', tab.listener)
    await hub.elapse()
    hub.newest().handlers.onOpen()
    hub.newest().handlers.onUpdate('run-a:2', 'x')
    hub.newest().handlers.onLost()
    // A tab that comes meanwhile waits with the others.
    hub.follow('run-b', '1', listen().listener)
    for (const _ of [1, 2, 3]) await hub.elapse()
    expect(hub.pauses.slice(1)).toEqual([250, 500, 1000])
    expect(hub.streams.map(({ url }) => url.split('?')[1])).toEqual([
      'run=run-a:1',
      'run=run-a:2&run=run-b:1',
    ])
    expect(tab.states).toEqual(['live', 'reconnecting'])
  })

  it.each([401, 403])('stops asking on %i', async (status) => {
    const hub = openHub([status])
    const tab = listen()
    hub.follow('run-a', '1', tab.listener)
    await hub.elapse()
    hub.newest().handlers.onLost()
    await hub.elapse()
    await hub.elapse()
    expect(tab.states).toEqual(['reconnecting', 'refused'])
    expect(hub.streams).toHaveLength(1)
  })
})

describe('followThrough', () => {
  function openTab() {
    const posted: TabMessage[] = []
    let tell: (message: WorkerMessage) => void = () => undefined
    let fail: () => void = () => undefined
    const own: string[] = []
    const follow = followThrough(
      {
        post: (message) => posted.push(message),
        onMessage: (listener) => {
          tell = listener
        },
        onFailure: (listener) => {
          fail = listener
        },
      },
      () => (runId, place) => {
        own.push(`${runId} ${place}`)
        return () => own.push(`left ${runId}`)
      },
    )
    return { posted, follow, own, tell: (m: WorkerMessage) => tell(m), fail: () => fail() }
  }

  it('asks the worker, hears what is for it, and says what it leaves', () => {
    const tab = openTab()
    const { heard, states, listener } = listen()
    const leave = tab.follow('run-a', '3', listener)
    tab.tell({ type: 'state', key: 1, state: 'live' })
    tab.tell({ type: 'update', key: 1, update: 'news', place: '4' })
    tab.tell({ type: 'update', key: 2, update: 'of another', place: '4' })
    leave()
    tab.tell({ type: 'update', key: 1, update: 'late', place: '5' })
    expect([heard, states]).toEqual([['news 4'], ['live']])
    expect(tab.posted).toEqual([
      { type: 'follow', key: 1, runId: 'run-a', place: '3' },
      { type: 'leave', key: 1 },
    ])
  })

  it('goes on with a stream of its own when the worker cannot be loaded', () => {
    const tab = openTab()
    const leave = tab.follow('run-a', '3', listen().listener)
    tab.tell({ type: 'update', key: 1, update: 'news', place: '4' })
    tab.fail()
    tab.follow('run-b', '1', listen().listener)
    leave()
    expect(tab.own).toEqual(['run-a 4', 'run-b 1', 'left run-a'])
  })
})

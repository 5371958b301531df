import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { endOf, type RunDelta, type RunPiece } from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { channels, type Notifications } from './notifications'
import { RunFeed, type RunNews } from './run-feed'
import { RunFollower } from './run-follower'
import { mostRunsPerNotice, runNotice } from './run-notice'

const event = (seq: number): RunEvent => ({
  runId: 'a-run',
  seq,
  at: 0,
  type: 'cancel-requested',
  data: { by: 'Ada', reason: '' },
})

type Sent = { channel: string; payload: string }
const opened: RunFeed[] = []
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  for (const feed of opened.splice(0)) feed.close()
})

/** Returns processes on one database, and what they sent. `loses` says what does not arrive. */
function openAll(instanceIds: string[], loses: (sent: Sent) => boolean = () => false) {
  const listeners: { channel: string; listener: (payload: string) => void }[] = []
  const sent: Sent[] = []
  const notifications: Notifications = {
    subscribe: (channel, listener) => {
      const one = { channel, listener }
      listeners.push(one)
      return () => void listeners.splice(listeners.indexOf(one), 1)
    },
    notifyLocally: () => undefined,
    isListening: () => true,
    query: async () => [],
    close: async () => undefined,
  }
  const notify = (channel: string, payload: string) => {
    for (const one of [...listeners]) if (one.channel === channel) one.listener(payload)
  }
  const send = async (channel: string, payloads: readonly string[]) => {
    for (const payload of payloads) {
      sent.push({ channel, payload })
      if (!loses({ channel, payload })) notify(channel, payload)
    }
  }
  const feeds = instanceIds.map((id) => new RunFeed(notifications, id, send))
  opened.push(...feeds)
  return { feeds, sent, notify }
}

function open() {
  const { feeds, notify } = openAll(['this-engine'])
  const [feed] = feeds
  if (!feed) throw new Error('There is no feed.')
  return { feed, notify: (payload: string) => notify(channels.run, payload) }
}

const begun = (seq: number, round = 1): RunEvent => ({
  runId: 'a-run',
  seq,
  at: 0,
  type: 'round-start',
  data: { round, closing: false, target: 0, offered: [], contextTokens: 1 },
})
const says = (text: string, round = 1): RunPiece => ({ type: 'text-delta', data: { round, text } })
const textOf = (deltas: readonly RunDelta[]) =>
  deltas.map((delta) => (delta.type === 'call-delta' ? '' : delta.data.text)).join('')
const fromStart = (seq: number) => ({ seq, start: 0, length: 0 })
const ofAnswers = ({ channel }: Sent) => channel === channels.answers

test('a watcher hears what its engine wrote, with its content, and that another process wrote', () => {
  const { feed, notify } = open()
  const heard: RunNews[] = []
  const unsubscribe = feed.subscribe('a-run', (news) => heard.push(news))
  const events = [event(3), event(4)]
  feed.publish(events)
  notify(runNotice({ writer: 'this-engine', runs: [{ runId: 'a-run', seq: 4 }] }))
  notify(
    runNotice({
      writer: 'another',
      runs: [
        { runId: 'other', seq: 7 },
        { runId: 'a-run', seq: 5 },
      ],
    }),
  )
  notify('')
  expect(heard).toEqual([
    { type: 'events', events },
    { type: 'written', seq: 5 },
    { type: 'missed' },
  ])
  unsubscribe()
  feed.publish([event(6)])
  notify(runNotice({ writer: 'another', runs: [{ runId: 'a-run', seq: 7 }] }))
  expect(heard).toHaveLength(3)
})

test('a run that this engine began is watched without reading the database, as long as it works on it', () => {
  const { feed, notify } = open()
  const { signal } = new AbortController()
  const watch = () => new RunFollower(feed, 'a-run', { signal, isElsewhere: false })
  const seqs = (taken: RunEvent[] | null) => taken?.map(({ seq }) => seq) ?? null
  feed.begin('Ada', event(1))
  feed.publish([event(2)])
  expect(feed.begun('a-run')?.userId).toBe('Ada')
  const first = watch()
  expect(seqs(first.take(0))).toEqual([1, 2])
  expect(first.take(2)).toEqual([])
  expect(seqs(watch().take(1))).toEqual([2])
  feed.publish([event(3)])
  expect(seqs(first.take(2))).toEqual([3])
  // Events of another process are not in memory.
  notify(runNotice({ writer: 'another', runs: [{ runId: 'a-run', seq: 4 }] }))
  expect(first.take(3)).toBeNull()
  feed.publish([event(5)])
  expect(feed.begun('a-run')).toBeNull()
  expect(watch().take(0)).toBeNull()
  feed.begin('Ada', event(1))
  feed.leave('a-run')
  expect(watch().take(0)).toBeNull()
})

test('a run of many events is not kept for those who come late', () => {
  const { feed } = open()
  feed.begin('Ada', event(1))
  for (let seq = 2; seq < 1_000; seq++) feed.publish([event(seq)])
  expect(feed.begun('a-run')).toBeNull()
})

test('a watcher hears nothing of other runs', () => {
  const { feed, notify } = open()
  const heard: RunNews[] = []
  feed.subscribe('other', (news) => heard.push(news))
  feed.publish([event(1)])
  notify(runNotice({ writer: 'another', runs: [{ runId: 'a-run', seq: 1 }] }))
  expect(heard).toEqual([])
})

test('a notice of as many runs as a statement writes fits into one of PostgreSQL', () => {
  const runs = Array.from({ length: mostRunsPerNotice }, () => ({
    runId: randomUUID(),
    seq: 99_999,
  }))
  expect(Buffer.byteLength(runNotice({ writer: randomUUID(), runs }))).toBeLessThan(8_000)
})

test('J2: a watcher beside the engine is given the open answer from where it is, and nothing is sent', () => {
  const { feeds, sent } = openAll(['one', 'two'])
  const [one] = feeds
  if (!one) throw new Error('There is no feed.')
  const heard: RunNews[] = []
  one.publish([begun(2)])
  one.show('a-run', says('Once '))
  one.subscribe('a-run', (news) => heard.push(news))
  one.show('a-run', says('upon'))
  expect(heard).toEqual([{ type: 'grew' }])
  const [whole] = one.answer('a-run', fromStart(2))
  expect(whole).toEqual({ ...says('Once upon'), runId: 'a-run', start: 2, offset: 0 })
  expect(textOf(one.answer('a-run', { seq: 2, start: 2, length: 5 }))).toBe('upon')
  expect(one.answer('a-run', { seq: 2, start: 2, length: 9 })).toEqual([])
  // Its watcher has not read the event that began the request.
  expect(one.answer('a-run', fromStart(1))).toEqual([])
  one.publish([begun(3)])
  expect(one.answer('a-run', fromStart(3))).toEqual([])
  one.show('a-run', says('Again'))
  one.leave('a-run')
  expect(one.answer('a-run', fromStart(3))).toEqual([])
  expect(sent).toEqual([])
})

test('J2: a watcher in another process gets what there is and what comes, once, although notices are lost', async () => {
  let lost = 0
  const { feeds, sent } = openAll(['one', 'two', ''], (each) => ofAnswers(each) && ++lost === 2)
  const [one, two, terminal] = feeds
  if (!one || !two || !terminal) throw new Error('There is no feed.')
  const long = `${'"\\\u20ac'.repeat(4_000)}.`
  one.publish([begun(2)])
  one.show('a-run', says('Once '))
  for (const feed of [two, terminal]) {
    feed.subscribe('a-run', () => undefined, true)
    await expect.poll(() => textOf(feed.answer('a-run', fromStart(2)))).toBe('Once ')
  }
  one.show('a-run', says(long))
  one.show('a-run', says('upon'))
  for (const feed of [two, terminal]) {
    const received = () => feed.answer('a-run', fromStart(2))
    await expect.poll(() => textOf(received())).toBe(`Once ${long}upon`)
    expect(received().map(({ offset }) => offset)).toEqual([
      0,
      ...received().slice(0, -1).map(endOf),
    ])
  }
  expect(lost).toBeGreaterThan(2)
  for (const { payload } of sent) expect(Buffer.byteLength(payload)).toBeLessThan(8_000)
})

test('J2: a process that begins to listen hears of those who watch already', async () => {
  let listens = false
  const { feeds, notify } = openAll(['one', 'two'], ({ channel }) => {
    return channel === channels.watched && !listens
  })
  const [one, two] = feeds
  if (!one || !two) throw new Error('There is no feed.')
  one.publish([begun(2)])
  one.show('a-run', says('Once'))
  two.subscribe('a-run', () => undefined, true)
  await new Promise((resolve) => setTimeout(resolve, 50))
  listens = true
  notify(channels.watched, '')
  await expect.poll(() => textOf(two.answer('a-run', fromStart(2)))).toBe('Once')
})

test('J2: an answer of another process is closed by the events that its watcher reads', async () => {
  const { feeds } = openAll(['one', 'two'])
  const [one, two] = feeds
  if (!one || !two) throw new Error('There is no feed.')
  two.subscribe('a-run', () => undefined, true)
  one.publish([begun(2)])
  await expect
    .poll(() => {
      one.show('a-run', says('x'))
      return two.answer('a-run', fromStart(2)).length
    })
    .toBeGreaterThan(0)
  const lostRequest: RunEvent = {
    runId: 'a-run',
    seq: 3,
    at: 0,
    type: 'request-lost',
    data: { round: 1, target: 0, latencyMs: 0, retries: 0, usage: emptyUsage, costMicroUsd: 0 },
  }
  two.note([begun(2), lostRequest])
  one.show('a-run', says('late'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(two.answer('a-run', fromStart(3))).toEqual([])
  // The other process continues the run, and its own answer counts.
  one.leave('a-run')
  two.publish([begun(4)])
  two.show('a-run', says('Anew.'))
  expect(textOf(two.answer('a-run', fromStart(4)))).toBe('Anew.')
})

test('J2: nothing is sent of a run that nobody elsewhere watches any more', async () => {
  vi.useFakeTimers()
  const { feeds, sent } = openAll(['one', 'two'])
  const [one, two] = feeds
  if (!one || !two) throw new Error('There is no feed.')
  one.publish([begun(2)])
  const leave = two.subscribe('a-run', () => undefined, true)
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toHaveLength(1)
  leave()
  await vi.advanceTimersByTimeAsync(15_000)
  one.show('a-run', says('x'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toHaveLength(1)
})

test('J2: a clock that is set back delays no answer, and no wait is negative', async () => {
  vi.useFakeTimers()
  const setTimeout = vi.spyOn(globalThis, 'setTimeout')
  const { feeds } = openAll(['one', 'two'])
  const [one, two] = feeds
  if (!one || !two) throw new Error('There is no feed.')
  one.publish([begun(2)])
  two.subscribe('a-run', () => undefined, true)
  await vi.advanceTimersByTimeAsync(100)
  for (const said of ['Once ', 'upon']) {
    vi.setSystemTime(Date.now() - 3_600_000)
    one.show('a-run', says(said))
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(textOf(two.answer('a-run', fromStart(2)))).toBe('Once upon')
  const waits = setTimeout.mock.calls.map(([, waitMs]) => waitMs ?? 0)
  expect(Math.min(...waits)).toBe(0)
})

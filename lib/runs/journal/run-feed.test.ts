import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RunEvent } from '@/lib/protocol/run-event'
import { mostRunsPerNotice, openRunFeed, type RunNews, runNotice } from './run-feed'

const event = (seq: number): RunEvent => ({
  runId: 'a-run',
  seq,
  at: 0,
  type: 'text-delta',
  data: { round: 1, text: String(seq) },
})

function open() {
  const listeners: ((payload: string) => void)[] = []
  const notifications = {
    subscribe: (_channel: string, listener: (payload: string) => void) => {
      listeners.push(listener)
      return () => undefined
    },
    notifyLocally: () => undefined,
    isListening: () => true,
    query: async () => [],
    close: async () => undefined,
  }
  const notify = (payload: string) => {
    for (const listener of listeners) listener(payload)
  }
  return { ...openRunFeed(notifications, 'this-engine'), notify }
}

test('a watcher hears what its engine wrote, with its content, and that another process wrote', () => {
  const { publish, subscribe, notify } = open()
  const heard: RunNews[] = []
  const unsubscribe = subscribe('a-run', (news) => heard.push(news))
  const events = [event(3), event(4)]
  publish(events)
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
  publish([event(6)])
  notify(runNotice({ writer: 'another', runs: [{ runId: 'a-run', seq: 7 }] }))
  expect(heard).toHaveLength(3)
})

test('a watcher hears nothing of other runs', () => {
  const { publish, subscribe, notify } = open()
  const heard: RunNews[] = []
  subscribe('other', (news) => heard.push(news))
  publish([event(1)])
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

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RunEvent } from '@/lib/protocol/run-event'
import { freshEventsAfter, keepFreshEvents } from './fresh-events'

const delta = (runId: string, seq: number): RunEvent => ({
  runId,
  seq,
  at: 0,
  type: 'text-delta',
  data: { round: 1, text: String(seq) },
})
const deltas = (runId: string, ...seqs: number[]) => seqs.map((seq) => delta(runId, seq))
const seqsAfter = (runId: string, seq: number) =>
  freshEventsAfter(runId, seq)?.map((event) => event.seq) ?? null

test('gives what follows a watcher’s place, and nothing when a part of it is not there', () => {
  const runId = randomUUID()
  keepFreshEvents(runId, deltas(runId, 8, 9))
  keepFreshEvents(runId, deltas(runId, 10))
  expect(seqsAfter(runId, 8)).toEqual([9, 10])
  expect(seqsAfter(runId, 6)).toBeNull()
  expect(seqsAfter(runId, 10)).toBeNull()
})

test('never joins events that have others between them', () => {
  const runId = randomUUID()
  keepFreshEvents(runId, deltas(runId, 8, 9, 10))
  keepFreshEvents(runId, deltas(runId, 21, 22))
  expect(seqsAfter(runId, 8)).toBeNull()
  expect(seqsAfter(runId, 20)).toEqual([21, 22])
})

test('keeps no large events, and only the newest small ones', () => {
  const runId = randomUUID()
  keepFreshEvents(runId, deltas(runId, ...Array.from({ length: 40 }, (_, index) => index + 1)))
  expect(seqsAfter(runId, 30)).toBeNull()
  expect(seqsAfter(runId, 32)).toHaveLength(8)
  const asked = { by: 'ana@example.org', reason: 'x'.repeat(100_000) }
  keepFreshEvents(runId, [{ runId, seq: 41, at: 0, type: 'cancel-requested', data: asked }])
  expect(seqsAfter(runId, 39)).toBeNull()
})

import { expect, test } from 'vitest'
import type { RunEvent } from '@/lib/protocol/run-event'
import { openFreshEvents } from './fresh-events'

const delta = (seq: number): RunEvent => ({
  runId,
  seq,
  at: 0,
  type: 'text-delta',
  data: { round: 1, text: String(seq) },
})
const runId = 'a run'
const deltas = (...seqs: number[]) => seqs.map((seq) => delta(seq))

function open() {
  const { keep, after } = openFreshEvents()
  return {
    keep: (events: RunEvent[]) => keep(runId, events),
    seqsAfter: (seq: number) => after(runId, seq)?.map((event) => event.seq) ?? null,
  }
}

test('gives what follows a watcher’s place, and nothing when a part of it is not there', () => {
  const { keep, seqsAfter } = open()
  keep(deltas(8, 9))
  keep(deltas(10))
  expect(seqsAfter(8)).toEqual([9, 10])
  expect(seqsAfter(6)).toBeNull()
  expect(seqsAfter(10)).toBeNull()
})

test('never joins events that have others between them', () => {
  const { keep, seqsAfter } = open()
  keep(deltas(8, 9, 10))
  keep(deltas(21, 22))
  expect(seqsAfter(8)).toBeNull()
  expect(seqsAfter(20)).toEqual([21, 22])
})

test('keeps no large events, and only the newest small ones', () => {
  const { keep, seqsAfter } = open()
  keep(deltas(...Array.from({ length: 40 }, (_, index) => index + 1)))
  expect(seqsAfter(30)).toBeNull()
  expect(seqsAfter(32)).toHaveLength(8)
  const asked = { by: 'ana@example.org', reason: 'x'.repeat(100_000) }
  keep([{ runId, seq: 41, at: 0, type: 'cancel-requested', data: asked }])
  expect(seqsAfter(39)).toBeNull()
})

import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import { runFixture, runInput, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { lanesOf } from './panel-lanes'

const zero = 1_000_000

/** Returns a run that began so many ms after the panel, and answered in so many. */
async function answered(beganAt: number, tookMs: number): Promise<RunState> {
  const run = runFixture({ script: [says('Done.')] })
  await runAgent(runInput({ snapshot: runSnapshot() }), run.deps)
  const at = zero + beganAt
  return foldRun(
    run.events.map((event) => {
      if (event.type === 'message')
        return {
          ...event,
          at: at + tookMs,
          data: { ...event.data, latencyMs: tookMs, firstTokenMs: 0 },
        }
      return { ...event, at: event.type === 'run-end' ? at + tookMs : at }
    }),
  )
}

test('lanes share one axis, a role that has not begun has no bars, and idle time is short', async () => {
  const states = new Map([
    ['a', await answered(0, 4_000)],
    ['b', await answered(4_000, 2_000)],
    ['c', await answered(4_000, 6_000)],
    ['d', await answered(70_000, 1_000)],
  ])
  const members = ['a', 'b', 'c', 'd', null].map((runId) => ({ runId }))
  const { lanes, end } = lanesOf(members, states, zero)
  expect(lanes.map(({ beganAt }) => beganAt)).toEqual([0, 4_000, 4_000, 70_000, null])
  const drawn = lanes.map(({ bars }) => bars.map(({ left, right }) => [left, right]))
  expect(drawn).toEqual([
    [[0, 4_000]],
    [[4_000, 6_000]],
    [[4_000, 10_000]],
    // A quarter of the ten seconds of work before it.
    [[12_500, 13_500]],
    [],
  ])
  expect(end).toMatchObject({ axis: 13_500, isOpen: false })
  expect(lanesOf(members.slice(0, 1), new Map([['a', initialRunState]]), zero).lanes).toEqual([
    { beganAt: null, left: null, bars: [] },
  ])
})

test('a call that was denied is a problem', async () => {
  const look = testTool('look')
  const run = runFixture({
    script: [asks(['look', {}], ['nothing', {}]), says('Done.')],
    tools: [look],
  })
  const state = await runAgent(runInput({ snapshot: runSnapshot() }), run.deps)
  const ended = foldRun(
    run.events.map((event) =>
      event.type === 'call-end' ? { ...event, data: { ...event.data, durationMs: 5 } } : event,
    ),
  )
  const { lanes } = lanesOf([{ runId: 'a' }], new Map([['a', ended]]), state.startedAt ?? 0)
  const calls = lanes[0]?.bars.filter(({ kind }) => kind === 'running')
  expect(calls?.map(({ isProblem }) => isProblem)).toEqual([false, true])
})

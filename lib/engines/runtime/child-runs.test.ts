import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CostCap } from '@/lib/protocol/cost/money'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { anyRule } from '@/tests/support/any-rule'
import {
  eventsOf,
  openSubject,
  runFixture,
  runInput,
  runSnapshot,
  subjectConfiguration,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { carriedBy } from './earlier-turns'
import { decideTool } from './policy/decide-tool'
import { matchingRules } from './policy/rules'
import { untrustedReads } from './policy/untrusted-reads'
import { advance, runAgent } from './run-agent'

const childId = '019a0000-0000-7000-8000-00000000000c'

/** A tool that starts a run, whose answer is made of diagnostics. */
const spawn = testTool('spawn', {
  effect: 'write',
  startsRuns: true,
  execute: async (_args, { started }) => {
    await started?.(childId)
    return { content: 'Its answer.', dataClass: 'diagnostics' }
  },
})

/** Works on a run whose answers cost 120 micro-USD each; `children`: what the started runs cost, one reading after the other. */
async function work(costCaps: CostCap[], children: (number | null)[]) {
  const run = runFixture({
    script: [asks(['spawn', { n: 1 }]), asks(['spawn', { n: 2 }]), says('Done.')],
    tools: [spawn],
    deps: {
      readChildCost: async () => (children.length > 1 ? children.shift() : children[0]) ?? null,
    },
  })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ costCaps }) }), run.deps)
  return { run, state }
}

test('the journal says which run a call started before that run has an answer, and what it cost', async () => {
  const { run, state } = await work([], [70, 100])
  const types = typesOf(run.events)
  expect(types.slice(types.indexOf('call-start')).slice(0, 4)).toEqual([
    'call-start',
    'child-start',
    'call-end',
    'child-cost',
  ])
  expect(state.rounds[0]?.calls[0]?.childRunId).toBe(childId)
  expect(eventsOf(run.events, 'child-cost').map(({ data }) => data.microUsd)).toEqual([70, 100])
  expect(state).toMatchObject({
    costMicroUsd: 360,
    childrenMicroUsd: 100,
    end: { costMicroUsd: 360 },
  })
})

test('J2: events of calls that work at once fold to the same state in any order', async () => {
  const run = runFixture({
    script: [asks(['spawn', { n: 1 }], ['spawn', { n: 2 }], ['spawn', { n: 3 }]), says('Done.')],
    tools: [spawn],
    deps: { readChildCost: async () => 70 },
  })
  const whole = await runAgent(runInput(), run.deps)
  const isOfCall = ({ data }: RunEvent) => 'callId' in data
  const first = run.events.findIndex(isOfCall)
  const ofCalls = run.events.filter(isOfCall)
  const places = ofCalls.map(({ data }) => ('callId' in data ? data.callId : ''))
  expect(ofCalls).toHaveLength(9)
  const rest = run.events.slice(first + ofCalls.length)
  expect(rest.map(({ type }) => type)[0]).toBe('child-cost')
  fc.assert(
    fc.property(fc.shuffledSubarray(places, { minLength: places.length }), (order) => {
      // Each call keeps its own order.
      const queues = new Map(places.map((id) => [id, [] as RunEvent[]]))
      for (const [n, event] of ofCalls.entries()) queues.get(places[n] ?? '')?.push(event)
      const mixed = order.flatMap((id) => queues.get(id)?.shift() ?? [])
      const events = [...run.events.slice(0, first), ...mixed, ...rest]
      expect(foldRun(events.map((event, n) => ({ ...event, seq: n + 1 })))).toEqual(whole)
    }),
  )
})

/** Works to the end on a run whose first answer asks for five runs, after these events; `begun` = what its calls started. */
async function fiveAfter(events: RunEvent[]) {
  const begun: unknown[] = []
  const numbers = [1, 2, 3, 4, 5]
  const run = runFixture({
    events,
    tools: [
      testTool('spawn', {
        effect: 'write',
        startsRuns: true,
        execute: async (args, { started }) => {
          begun.push(args)
          await started?.(childId)
          return { content: 'Its answer.' }
        },
      }),
    ],
    deps: {
      readChildCost: async () => 70,
      async *streamModel(_target, request) {
        const isAsked = request.messages.some(({ role }) => role === 'tool')
        yield* isAsked
          ? says('Done.')
          : asks(...numbers.map((n): [string, object] => ['spawn', { n }]))
      },
    },
  })
  let state = foldRun(events)
  while (!state.end)
    state = state.start ? await advance(state, run.deps) : await runAgent(runInput(), run.deps)
  return { begun, events: run.events, state }
}

test('SPEC J4: killed after any event, each call is answered once, and starts no second run', async () => {
  const whole = await fiveAfter([])
  expect(whole.begun).toHaveLength(5)
  for (let count = 1; count < whole.events.length; count++) {
    const before = whole.events.slice(0, count)
    const known = eventsOf(before, 'call-start').map(({ data }) => data.callId)
    const { begun, events, state } = await fiveAfter(before)
    expect(state.end?.reason).toBe('completed')
    expect(begun).toHaveLength(5 - known.length)
    const starts = eventsOf(events, 'call-start').map(({ data }) => data.callId)
    const ends = eventsOf(events, 'call-end').map(({ data }) => data.callId)
    expect([new Set(starts).size, starts.length, new Set(ends).size, ends.length]).toEqual(
      Array(4).fill(5),
    )
  }
})

test('SPEC M4: an enforced cap counts what was started', async () => {
  const cap: CostCap = { scope: 'run', mode: 'enforce', limitMicroUsd: 300 }
  const { run, state } = await work([cap], [200])
  expect(eventsOf(run.events, 'call-start')).toHaveLength(1)
  expect(state.end).toMatchObject({ reason: 'cost-cap', truncated: true })
  expect(state.end?.message).toContain('with its child runs and reached the cap of $0.0003')
})

test('an unknown cost of what was started has reached an enforced cap', async () => {
  const { state } = await work([{ scope: 'run', mode: 'enforce', limitMicroUsd: 5_000 }], [null])
  expect(state.end?.reason).toBe('cost-cap')
})

test('SPEC G7: what such a call returned has the class of what the other run read', async () => {
  const { state } = await work([], [0])
  expect(carriedBy([{ state, nativeOf: () => null }], { prunedTurns: 0 }).results[0]).toEqual({
    name: 'spawn',
    dataClass: 'diagnostics',
  })
})

test.each(['panel', 'run'] as const)('what starts runs is denied inside a %s', (startsNoRuns) => {
  const configuration = subjectConfiguration({ startsNoRuns })
  const subject = { ...openSubject, configuration, selected: new Set(['spawn', 'look']) }
  expect(decideTool(spawn, subject)).toMatchObject({ gate: 'selection', part: 'nested' })
  expect(decideTool(testTool('look'), subject)).toEqual({ allowed: true })
  expect(decideTool(spawn, { ...subject, configuration: subjectConfiguration() }).allowed).toBe(
    true,
  )
})

test('SPEC G-X: a rule about the configuration of the run that started it counts', () => {
  const rule = { ...anyRule, name: 'Ask', configurationId: 'first' }
  const rules = (startedFrom?: string) => {
    const configuration = subjectConfiguration({
      id: 'second',
      ...(startedFrom && { startedFrom }),
    })
    const question = { ...openSubject, configuration, approvalRules: [rule] }
    return matchingRules(testTool('look'), [{}], question).map(({ name }) => name)
  }
  expect(rules()).toEqual([])
  expect(rules('first')).toEqual(['Ask'])
  expect(rules('third')).toEqual([])
})

test('SPEC G-U: a prompt counts as read when the run that wrote it had read what others can write', async () => {
  const readsWith = async (untrusted: boolean, snapshot: RunSnapshot = runSnapshot()) => {
    const parent = {
      runId: childId,
      callId: childId,
      ...(untrusted && { untrusted: true as const }),
    }
    const run = runFixture({ script: [says('Done.')] })
    return untrustedReads(await runAgent(runInput({ snapshot, parent }), run.deps), new Map())
  }
  expect(await readsWith(false)).toEqual([])
  expect(await readsWith(true)).toEqual(['the prompt, which another run wrote'])
})

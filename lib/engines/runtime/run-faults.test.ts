import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FailureCategory } from '@/lib/protocol/model/failure'
import { finishReasons, type ModelEvent } from '@/lib/protocol/model/message'
import { ToolError } from '@/lib/protocol/tool'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { finish, providerFailure } from '@/tests/support/scripted-model'
import type { RunDeps } from './deps'
import { runAgent } from './run-agent'

/** Random model answers, tool calls and failures of the outside. */
const answers = fc.record({
  text: fc.constantFrom('', 'Some text. ', 'A\0B'),
  thought: fc.constantFrom('', '', 'Hm.'),
  calls: fc.array(
    fc.record({
      id: fc.constantFrom(null, 'same', 'a', 'b'),
      name: fc.constantFrom('read', 'write', 'gone', '__proto__'),
      argumentsText: fc.constantFrom('', '{}', '{"a":1}', '{"a":', '[]'),
    }),
    { maxLength: 20 },
  ),
  finishReason: fc.constantFrom(...finishReasons),
  ending: fc.constantFrom('finish', 'finish', 'finish', 'error', 'throw', 'nothing', 'hang'),
  failure: fc.constantFrom(...FailureCategory.options),
  usage: fc.constantFrom(null, undefined, { inputTokens: -1 } as never),
})
const toolEndings = fc.constantFrom('ok', 'ok', 'long', 'throw', 'tool-error', 'hang', 'slow')
const odds = fc.array(fc.boolean(), { minLength: 5, maxLength: 40 })
const plans = fc.record({
  answers: fc.array(answers, { minLength: 1, maxLength: 8 }),
  tools: fc.array(toolEndings, { minLength: 1, maxLength: 10 }),
  faults: fc.record({
    subject: odds,
    budget: odds,
    begin: odds,
    save: odds,
    watch: odds,
    log: odds,
  }),
  stopAtMs: fc.option(fc.integer({ min: 0, max: 60_000 })),
  maxRounds: fc.integer({ min: 1, max: 6 }),
  contextTokens: fc.option(fc.integer({ min: 2000, max: 60_000 })),
  targets: fc.integer({ min: 1, max: 3 }),
})
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never

/** Goes round and round through a list. */
function cycle<T>(items: readonly T[]): () => T {
  let index = 0
  return () => {
    const item = items[index++ % items.length]
    if (item === undefined) throw new Error('An empty list has no items.')
    return item
  }
}

function faultyRun(plan: Plan) {
  const nextAnswer = cycle(plan.answers)
  const nextTool = cycle(plan.tools)
  // One in two of what a list says, so that most runs get somewhere.
  const may = (list: boolean[]) => {
    const next = cycle([...list, false, false, false])
    return () => {
      if (next()) throw new Error('secret detail')
    }
  }
  const faults = {
    subject: may(plan.faults.subject),
    budget: may(plan.faults.budget),
    begin: may(plan.faults.begin),
    save: may(plan.faults.save),
    watch: may(plan.faults.watch),
    log: may(plan.faults.log),
  }
  const execute = async () => {
    switch (nextTool()) {
      case 'throw':
        throw new Error('secret detail')
      case 'tool-error':
        throw new ToolError('nope', 'Not possible.')
      case 'hang':
        return new Promise<never>(() => undefined)
      case 'slow':
        await run.clock.sleep(20_000)
        return { content: 'slow' }
      case 'long':
        return { content: 'x'.repeat(70_000) }
      default:
        return { content: { ok: true } }
    }
  }
  const counts = { requested: 0 }
  async function* streamModel(
    _target: unknown,
    _request: unknown,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    counts.requested += 1
    const answer = nextAnswer()
    if (answer.thought) yield { type: 'reasoning-delta', text: answer.thought }
    if (answer.text) yield { type: 'text-delta', text: answer.text }
    switch (answer.ending) {
      case 'error':
        yield { type: 'error', failure: providerFailure(answer.failure) }
        return
      case 'throw':
        throw new Error('secret detail')
      case 'nothing':
        return
      case 'hang':
        await run.clock.sleep(3_600_000, signal)
        yield { type: 'error', failure: providerFailure('cancelled') }
        return
    }
    const { text, calls: toolCalls, finishReason, usage } = answer
    yield finish({ text, toolCalls, finishReason, ...(usage !== undefined && { usage }) })
  }
  const run = runFixture({
    tools: [testTool('read', { execute }), testTool('write', { effect: 'write', execute })],
    deps: { streamModel },
  })
  const deps: RunDeps = {
    ...run.deps,
    loadSubject: async () => {
      faults.subject()
      return run.switches.subject
    },
    reserve: async (...args) => {
      faults.budget()
      return run.deps.reserve(...args)
    },
    watchTool: (...args) => {
      faults.watch()
      return run.deps.watchTool(...args)
    },
    reportIncident: () => faults.log(),
    journal: {
      ...run.journal,
      begin: async (...args) => {
        faults.begin()
        return run.journal.begin(...args)
      },
      saveResult: async () => faults.save(),
    },
  }
  return { run, deps, counts }
}

test('R16: whatever fails, there is exactly one end, every call has one, and nothing leaks', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { run, deps, counts } = faultyRun(plan)
      if (plan.stopAtMs !== null) {
        run.clock
          .sleep(plan.stopAtMs)
          .then(() => run.stop({ type: 'cancelled', by: 'Ada', reason: '' }))
      }
      const targets = Array.from({ length: plan.targets }, () =>
        modelTarget({ contextTokens: plan.contextTokens }),
      )
      const input = runInput({
        snapshot: runSnapshot({ maxRounds: plan.maxRounds, targets, timeLimitMs: 120_000 }),
      })
      const state = await runAgent(input, deps)

      expect(run.events.at(-1)?.type).toBe('run-end')
      expect(eventsOf(run.events, 'run-end')).toHaveLength(1)
      expect(run.events.map((event) => event.seq)).toEqual(run.events.map((_, index) => index + 1))
      expect(state).toEqual(run.state())

      const request = eventsOf(run.events, 'message').flatMap((event) => event.data.toolCalls)
      const ended = eventsOf(run.events, 'call-end').map((event) => event.data.callId)
      expect(ended.toSorted()).toEqual(request.map((call) => call.callId).toSorted())
      expect(new Set(request.map((call) => call.providerCallId)).size).toBe(request.length)
      const started = eventsOf(run.events, 'call-start').map((event) => event.data)
      expect(new Set(started.map((start) => start.callId)).size).toBe(started.length)
      expect(started.every((start) => start.name === 'read' || start.name === 'write')).toBe(true)
      expect(
        eventsOf(run.events, 'round-start').every(
          (event) => event.data.round <= plan.maxRounds + 1,
        ),
      ).toBe(true)

      // M5: each request is in one record, as the request of its round or as a try of it.
      const records = [
        ...eventsOf(run.events, 'message').map(({ data }) => data),
        ...eventsOf(run.events, 'request-lost').map(({ data }) => data),
        ...eventsOf(run.events, 'model-retry').flatMap(({ data }) => data.failedCall ?? []),
        ...eventsOf(run.events, 'model-fallback').flatMap(({ data }) => data.failedCall ?? []),
        ...eventsOf(run.events, 'run-end').flatMap(({ data }) => data.failedCall ?? []),
      ]
      expect(records.reduce((sum, { retries }) => sum + 1 + retries, 0)).toBe(counts.requested)

      expect(JSON.stringify(run.events)).not.toMatch(/secret detail|\\u0000/)
      expect(getEventListeners(deps.signal, 'abort')).toEqual([])
      expect(state.end?.wallTimeMs).toBeLessThan(123_000)
    }),
    { numRuns: 200 },
  )
})

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunDeps } from '@/lib/engines/runtime/deps'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { advance, runAgent } from '@/lib/engines/runtime/run-agent'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import { applyRunEvent } from '@/lib/protocol/run/fold-run'
import type { CallView } from '@/lib/protocol/run/round-view'
import {
  approvalFixture,
  everybody,
  lastRequest,
  no,
  rule,
  untilItWaits,
  yes,
} from '@/tests/support/approval-fixture'
import {
  eventsOf,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

test('a call without an answer is denied when its time is over, and the run goes on', async () => {
  const run = approvalFixture([asks(['look'], ['save', '{ "n": 1 }']), says('Then not.')])
  const state = await runAgent(runInput(), run.deps)
  run.model.verify()
  expect(run.saved).toEqual([])
  expect(typesOf(run.events)).toEqual([
    'run-start',
    'round-start',
    'message',
    'approval-request',
    'approval-decision',
    'call-start',
    'call-end',
    'call-end',
    'round-start',
    'message',
    'run-end',
  ])
  const [request] = eventsOf(run.events, 'approval-request')
  expect(request?.data).toMatchObject({
    name: 'save',
    ruleId: 'rule-1',
    ruleName: 'Writes',
    argumentsHash: createHash('sha256').update('{"n":1}').digest('hex'),
    expiresAt: run.clock.now() + run.switches.subject.approvalLifetimeMs,
  })
  const denied = { type: 'denied', gate: 'approval' }
  expect(state.rounds[0]?.calls[1]?.state).toMatchObject({ outcome: denied })
  expect(lastRequest(run)).toContain('Nobody answered in time.')
})

test('each call is decided by itself; the model reads why one was refused, but not by whom', async () => {
  const decide = (call: CallView) => (call.argumentsText.includes('1') ? yes : no)
  const run = approvalFixture(
    [asks(['save', { n: 1 }], ['save', { n: 2 }], ['look']), says('Half of it.')],
    { readDecisions: everybody(decide) },
  )
  const state = await runAgent(runInput(), run.deps)
  expect(run.saved).toEqual([{ n: 1 }])
  const reason = 'Denied by ada@example.org: Not on a Friday.'
  expect(state.rounds[0]?.calls.map((call) => call.state)).toMatchObject([
    { outcome: { type: 'ok' } },
    { outcome: { type: 'denied', gate: 'approval', reason } },
    { outcome: { type: 'ok' } },
  ])
  expect(lastRequest(run)).toContain('A person refused this call and says: Not on a Friday')
  expect(lastRequest(run)).not.toContain('ada@example.org')
})

test('edited arguments are what runs, and the model is told', async () => {
  const edited = { ...yes, type: 'edited' as const, argumentsText: '{"n":7}' }
  const run = approvalFixture([asks(['save', { n: 1 }]), says('Done.')], {
    readDecisions: everybody(() => edited),
  })
  const state = await runAgent(runInput(), run.deps)
  expect(run.saved).toEqual([{ n: 7 }])
  expect(state.rounds[0]?.calls[0]?.argumentsText).toBe('{"n":1}')
  expect(lastRequest(run)).toContain('before it ran, to: {\\"n\\":7}')
})

test('edited arguments that the tool refuses do not run', async () => {
  const edited = { ...yes, type: 'edited' as const, argumentsText: '{"n":' }
  const run = approvalFixture([asks(['save', { n: 1 }]), says('Done.')], {
    readDecisions: everybody(() => edited),
  })
  const state = await runAgent(runInput(), run.deps)
  expect(run.saved).toEqual([])
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    outcome: { type: 'invalid-arguments' },
  })
})

test('a call that would be denied anyway does not wait for approval', async () => {
  const neverAsked: RunDeps['readDecisions'] = () => Promise.reject(new Error('asked'))
  const calls = asks(
    ['nothing'],
    ['SAVE'],
    ['save', '{"n":'],
    ['save', '[1]'],
    ['save', { bad: 1 }],
  )
  const run = approvalFixture(
    [calls, says('Oh.')],
    { readDecisions: neverAsked },
    {
      parse: (args) => ('bad' in Object(args) ? { ok: false, issues: ['no'] } : { ok: true, args }),
    },
  )
  await runAgent(runInput(), run.deps)
  run.model.verify()
  expect(eventsOf(run.events, 'approval-request')).toEqual([])
  expect(run.saved).toEqual([])
})

test('arguments that the tool breaks on wait, whatever the rule looks for in them', async () => {
  const broken = () => {
    throw new Error('broken')
  }
  const run = approvalFixture([asks(['save', { n: 1 }])], {}, { parse: broken })
  const conditions = [{ path: '$.n', operator: 'equals' as const, value: '2' }]
  run.switches.subject = { ...run.switches.subject, approvalRules: [{ ...rule, conditions }] }
  await untilItWaits(run)
  expect(eventsOf(run.events, 'approval-request')[0]?.data).toMatchObject({ ruleId: rule.id })
})

test('a rule is held against what the tool would get, defaults and all', async () => {
  const conditions = [{ path: '$.force', operator: 'equals' as const, value: 'true' }]
  const run = approvalFixture(
    [asks(['save', {}], ['save', { force: false }]), says('Oh.')],
    {},
    {
      parse: (args) => ({ ok: true, args: { force: true, ...Object(args) } }),
    },
  )
  run.switches.subject = { ...run.switches.subject, approvalRules: [{ ...rule, conditions }] }
  await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'approval-request')).toHaveLength(1)
  expect(run.saved).toEqual([{ force: false }])
})

test('answers to other approvals, and answers that cannot be read, are no answers', async () => {
  let requestCount = 0
  const run = approvalFixture([asks(['save', { n: 1 }])], {
    readDecisions: async () => {
      if (++requestCount === 1) throw new Error('The database is away.')
      return [{ approvalId: 'another', decision: yes }]
    },
  })
  const state = await untilItWaits(run)
  expect(await advance(state, run.deps)).toBe(state)
  expect(run.incidents).toHaveLength(1)
  expect(await advance(state, run.deps)).toBe(state)
  expect(run.saved).toEqual([])
})

test('an approval of other arguments does not count, and the call asks again', async () => {
  const run = approvalFixture([asks(['save', { n: 1 }])])
  const state = await untilItWaits(run)
  const [request] = eventsOf(run.events, 'approval-request')
  const call = state.rounds[0]?.calls[0]
  if (!request || !call) throw new Error('The call asks for a word.')
  const forged = { ...request, data: { ...request.data, argumentsHash: 'f'.repeat(64) } }
  const decision = { round: 1, callId: call.callId, decision: yes }
  let next = applyRunEvent(state, run.journal.append(forged))
  next = applyRunEvent(next, run.journal.append({ type: 'approval-decision', data: decision }))
  expect(nextStep(next).type).toBe('call-tools')
  next = await advance(next, run.deps)
  expect(nextStep(next).type).toBe('wait')
  expect(eventsOf(run.events, 'approval-request')).toHaveLength(3)
  expect(run.saved).toEqual([])
})

test('a rule that comes while calls run makes the next one wait, and those behind it', async () => {
  const run = approvalFixture(
    [asks(['save', { n: 1 }], ['save', { n: 2 }], ['save', { n: 3 }]), says('Done.')],
    { readDecisions: everybody((call) => (call.argumentsText.includes('2') ? yes : no)) },
    {
      execute: async (args) => {
        run.saved.push(args)
        run.switches.subject = { ...run.switches.subject, approvalRules: [rule] }
        return { content: '' }
      },
    },
  )
  run.switches.subject = { ...run.switches.subject, approvalRules: [] }
  const state = await runAgent(runInput(), run.deps)
  expect(run.saved).toEqual([{ n: 1 }, { n: 2 }])
  expect(typesOf(run.events).slice(3, 8)).toEqual([
    'call-start',
    'call-end',
    'approval-request',
    'approval-decision',
    'approval-request',
  ])
  expect(state.rounds[0]?.calls[2]?.state).toMatchObject({ outcome: { gate: 'approval' } })
})

test('a rule that comes while a round waits is asked before any of its calls begins', async () => {
  const run = approvalFixture([asks(['save', { n: 1 }], ['look', { n: 2 }]), says('Done.')], {
    readDecisions: async (waiting, signal) => {
      const both = [rule, { ...rule, name: 'Reads', toolName: 'look' }]
      run.switches.subject = { ...run.switches.subject, approvalRules: both }
      return everybody(() => yes)(waiting, signal)
    },
  })
  await runAgent(runInput(), run.deps)
  const request = eventsOf(run.events, 'approval-request').map(({ data }) => data.ruleName)
  expect(request).toEqual(['Writes', 'Reads'])
  const types = typesOf(run.events)
  expect(types.lastIndexOf('approval-decision')).toBeLessThan(types.indexOf('call-start'))
  expect(run.saved).toEqual([{ n: 1 }])
})

test('a repeated read that a rule asks about since the crash waits too', async () => {
  const first = approvalFixture([asks(['look', { n: 1 }]), says('Done.')])
  await runAgent(runInput(), first.deps)
  const at = first.events.findIndex((event) => event.type === 'call-start')
  const next = runFixture({
    script: [says('Done.')],
    events: first.events.slice(0, at + 1),
    tools: [testTool('look')],
    subject: { approvalRules: [{ ...rule, toolName: 'look' }] },
    deps: { readDecisions: everybody(() => yes) },
  })
  let state = await advance(next.state(), next.deps)
  expect(nextStep(state).type).toBe('wait')
  while (!state.end) state = await advance(state, next.deps)
  expect(state.end.reason).toBe('completed')
  expect(eventsOf(next.events, 'call-start').map(({ data }) => data.attempt)).toEqual([1, 2])
})

test('R8: the time of a run does not pass while it waits', async () => {
  const tenHours = 36_000_000
  const run = approvalFixture([asks(['save']), says('Done.')], {
    readDecisions: async (waiting, signal) => {
      await run.clock.sleep(tenHours, signal)
      return everybody(() => yes)(waiting, signal)
    },
  })
  const input = runInput({ snapshot: runSnapshot({ timeLimitMs: 60_000 }) })
  const state = await runAgent(input, run.deps)
  expect(state).toMatchObject({ waitedMs: tenHours, waitingSince: null })
  expect(state.end).toMatchObject({ reason: 'completed', wallTimeMs: tenHours })
})

test('R9: Stop ends a run that waits, and what waited did not run', async () => {
  const run = approvalFixture([asks(['save'])], {
    readDecisions: async (_waiting, signal) => {
      run.stop({ type: 'cancelled', by: 'Ada', reason: '' })
      expect(signal.aborted).toBe(true)
      return []
    },
  })
  const state = await untilItWaits(run)
  const ended = await advance(state, run.deps)
  expect(ended.end).toMatchObject({ reason: 'cancelled' })
  expect(ended.rounds[0]?.calls[0]?.state).toMatchObject({
    verdict: { gate: 'run-ended' },
    outcome: { type: 'cancelled' },
  })
  expect(run.saved).toEqual([])
})

test('G-A: no call that a rule asks about runs without its own yes, whatever is asked and said', async () => {
  const edited = { ...yes, type: 'edited' as const, argumentsText: '{"edited":true}' }
  const expired = { type: 'expired' as const }
  const answer = fc.option(fc.constantFrom<ApprovalDecision>(yes, no, edited, expired))
  const round = fc.array(fc.tuple(fc.constantFrom('save', 'look'), answer), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (rounds) => {
      const answers = new Map(
        rounds.flatMap((calls, r) => calls.map(([, said], c) => [`{"at":"${r}-${c}"}`, said])),
      )
      const script = rounds.map((calls, r) =>
        asks(...calls.map(([name], c): [string, object] => [name, { at: `${r}-${c}` }])),
      )
      const run = approvalFixture([...script, says('Done.')], {
        readDecisions: async (waiting) =>
          waiting.flatMap(({ approval, argumentsText }) => {
            const decision = answers.get(argumentsText)
            return approval && decision ? [{ approvalId: approval.approvalId, decision }] : []
          }),
      })
      const state = await runAgent(runInput(), run.deps)
      expect(state.end?.reason).toBe('completed')
      const expected = rounds.flatMap((calls, r) =>
        calls.flatMap(([name, said], c) => {
          if (name !== 'save' || !said || said.type === 'denied' || said.type === 'expired')
            return []
          return [said.type === 'edited' ? { edited: true } : { at: `${r}-${c}` }]
        }),
      )
      expect(run.saved).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})

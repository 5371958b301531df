import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RunDeps } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
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
import { eventsOf, runInput, typesOf } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

test('nobody answers: the call is denied once its time is over, and the run goes on', async () => {
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

test('what would not run anyway waits for nobody', async () => {
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

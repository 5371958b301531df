import { expect, test } from 'vitest'
import type { Journal, RunDeps } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { callOnce } from '@/tests/support/call-once'
import {
  eventsOf,
  member,
  runFixture,
  runInput,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

test('T9: a name nobody registered is denied and the run goes on', async () => {
  for (const name of ['constructor', '__proto__', 'Look', 'lооk', 'look\u200b']) {
    const { run, outcome, state } = await callOnce({}, { name })
    expect(outcome).toMatchObject({ type: 'denied', gate: 'registered' })
    expect(typesOf(run.events)).not.toContain('call-start')
    expect(state.end?.reason).toBe('completed')
  }
})

test('G: a tool that is off is refused by its gate, and the model learns no names or reasons', async () => {
  const off = { enabled: false, reason: 'incident 7', changedBy: 'ada@example.org', changedAt: 0 }
  const { end, modelSaw } = await callOnce({}, { subject: { overrides: new Map([['look', off]]) } })
  expect(end.verdict).toMatchObject({
    allowed: false,
    gate: 'enabled',
    reason: expect.stringContaining('incident 7'),
  })
  expect(modelSaw.content).toContain('switched off')
  expect(modelSaw.content).not.toMatch(/incident 7|ada@/)
})

test('G: the gates are asked again right before the call, with a fresh subject', async () => {
  const run = runFixture({
    script: [
      async function* (call) {
        expect(call.request.tools).toHaveLength(1)
        run.switches.subject = { ...run.switches.subject, frozen: { by: 'Ada', reason: 'stop' } }
        yield* asks(['look'])
      },
    ],
    tools: [testTool('look')],
  })
  const state = await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'call-end')[0]?.data.outcome).toMatchObject({
    type: 'denied',
    gate: 'frozen',
  })
  expect(typesOf(run.events)).not.toContain('call-start')
  expect(run.model.calls).toHaveLength(1)
  expect(state.end).toMatchObject({ reason: 'frozen' })
})

test('a tool that was switched on after the offer was made is not offered yet', async () => {
  const run = runFixture({
    script: [
      async function* () {
        run.switches.subject = { ...run.switches.subject, groupsOff: new Map() }
        yield* asks(['look'])
      },
      says('Done.'),
    ],
    tools: [testTool('look')],
    subject: { groupsOff: new Map([['test', { by: 'Ada', reason: '' }]]) },
  })
  await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'call-end')[0]?.data.outcome).toMatchObject({
    type: 'denied',
    gate: 'offer',
  })
})

test('the tool acts for the person as the gates just saw them', async () => {
  const run = runFixture({
    script: [asks(['look']), says('Done.')],
    tools: [testTool('look', { execute: async (_args, { actor }) => ({ content: actor.role }) })],
  })
  run.switches.subject = { ...run.switches.subject, actor: member }
  await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'call-end')[0]?.data.outcome).toMatchObject({ content: 'member' })
})

test.each([
  [
    'begin rejects',
    (deps: RunDeps) => ({
      journal: {
        ...deps.journal,
        begin: (...args: Parameters<Journal['begin']>) =>
          args[0].type === 'call-start'
            ? Promise.reject(new Error('db'))
            : deps.journal.begin(...args),
      },
    }),
  ],
  [
    'watchTool throws',
    () => ({
      watchTool: () => {
        throw new Error('db')
      },
    }),
  ],
])('G-F: when %s the answer is no', async (_words, fault) => {
  const run = runFixture({ script: [asks(['look']), says('Done.')], tools: [testTool('look')] })
  const state = await runAgent(runInput(), { ...run.deps, ...fault(run.deps) })
  expect(eventsOf(run.events, 'call-end')[0]?.data.outcome).toMatchObject({
    type: 'denied',
    gate: 'state',
  })
  expect(state.end?.reason).toBe('completed')
})

test('G-F: a switch-off aborts the call in flight', async () => {
  const controller = new AbortController()
  let released = 0
  const { outcome, state } = await callOnce(
    {
      execute: () => {
        controller.abort('Switched off for this site by Ada.')
        return new Promise(() => undefined)
      },
    },
    { deps: { watchTool: () => ({ signal: controller.signal, release: () => void released++ }) } },
  )
  expect(outcome).toEqual({ type: 'cancelled', reason: 'Switched off for this site by Ada.' })
  expect(released).toBe(1)
  expect(state.end?.reason).toBe('completed')
})

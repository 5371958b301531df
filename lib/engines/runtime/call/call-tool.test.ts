import { expect, test } from 'vitest'
import type { Journal, RunDeps } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { textIn } from '@/lib/protocol/run/run-delta'
import { type CallContext, ToolError } from '@/lib/protocol/tool'
import { everybody, yes } from '@/tests/support/approval-fixture'
import { callOnce } from '@/tests/support/call-once'
import { finish, kept, noteFixture } from '@/tests/support/note-fixture'
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

test('an act is approved word for word, and nothing is read back after it', async () => {
  const read = async () => 'send it to Ada'
  const run = noteFixture({ look: { isAct: true, read, becomes: undefined } })
  const { outcome, check, call } = await finish(run)
  expect(call?.approval?.preview).toEqual({
    before: { type: 'text', ...kept('send it to Ada') },
    becomes: null,
    isAct: true,
  })
  expect([outcome?.type, check]).toEqual(['ok', undefined])
})

test('an act that became another one after its approval does not happen', async () => {
  let target = 'to Ada'
  const decide = everybody(() => {
    target = 'to everybody'
    return yes
  })
  const run = noteFixture({
    look: { isAct: true, read: async () => target, becomes: undefined },
    deps: { readDecisions: decide },
  })
  expect((await finish(run)).outcome).toMatchObject({ code: 'changed-meanwhile' })
  expect(run.note.writes).toBe(0)
})

test('a call that its tool refuses does not ask for approval, and the model is told why', async () => {
  const read = async () => {
    throw new ToolError('argument-refused', 'Argument 1 gives -c, which is refused.')
  }
  const run = noteFixture({ look: { isAct: true, read, becomes: undefined } })
  const { outcome } = await finish(run)
  expect(outcome).toMatchObject({
    type: 'failed',
    code: 'refused',
    message: 'Argument 1 gives -c, which is refused.',
  })
  expect(eventsOf(run.events, 'approval-request')).toEqual([])
  expect(eventsOf(run.events, 'call-start')).toEqual([])
  expect(run.note.writes).toBe(0)
  expect(JSON.stringify(run.model.calls.at(-1)?.request.messages)).toContain('gives -c')
})

type Fixture = ReturnType<typeof runFixture>

/** Runs a call of a tool that writes while it runs. */
async function writing(write: (context: CallContext, run: Fixture) => void) {
  const tool = testTool('work', {
    execute: async (_args, context) => {
      write(context, run)
      return { content: 'all of it' }
    },
  })
  const run: Fixture = runFixture({ script: [asks(['work', {}]), says('Done.')], tools: [tool] })
  const state = await runAgent(runInput(), run.deps)
  const shown = run.deltas.filter(({ type }) => type === 'output-delta')
  return { run, state, shown }
}

test('output of a call is shown in few pieces while it runs, and its result has all of it', async () => {
  let seen: unknown
  const { run, state, shown } = await writing(({ tell }, { events, deltas }) => {
    for (let line = 0; line < 500; line += 1) tell?.(`line ${line}\n`)
    seen = foldRun([...events, ...deltas]).rounds[0]?.calls[0]?.state
  })
  const first = { type: 'running', output: { text: expect.stringMatching(/^line 0\n/) } }
  expect(seen).toMatchObject(first)
  expect(shown.map(textIn).join('')).toMatch(/^line 0\n[\s\S]*line 499\n$/)
  expect(shown.length).toBeLessThan(20)
  const [began] = run.events.filter(({ type }) => type === 'call-start')
  expect(new Set(shown.map(({ start }) => start))).toEqual(new Set([began?.seq]))
  expect(state.rounds[0]?.calls[0]?.state).not.toHaveProperty('output')
})

test('a piece that comes twice counts once, and one that comes too late changes nothing', async () => {
  const { run, shown } = await writing(({ tell }) => tell?.('once'))
  const began = run.events.findIndex(({ type }) => type === 'call-start')
  const state = foldRun([...run.events.slice(0, began + 1), ...shown, ...shown])
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ output: { text: 'once', length: 4 } })
  expect(foldRun([...run.events, ...shown])).toEqual(foldRun(run.events))
})

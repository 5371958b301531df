import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { textIn } from '@/lib/protocol/run/run-delta'
import { type CallContext, ToolError } from '@/lib/protocol/tool'
import { everybody, yes } from '@/tests/support/approval-fixture'
import { finish, kept, noteFixture } from '@/tests/support/note-fixture'
import { eventsOf, runFixture, runInput, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

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

test('nobody is asked to approve an act that its tool refuses, and the model is told why', async () => {
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

test('what a call writes is shown while it runs, in few pieces, and its result says all of it', async () => {
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

import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { ConfigurationOptions } from '@/lib/protocol/parameters/parameters'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { offeredNames } from './offered-names'

const look = testTool('files__look_into_it', {
  alias: 'look',
  description: 'Looks into it.',
  execute: async () => ({ content: 'It is 42.' }),
})
const zoom = testTool('zoom')

test('a model is offered the alias and asked by it, and everything else goes by the name', async () => {
  const run = runFixture({
    script: [asks(['look', { n: 1 }]), says('42.')],
    tools: [zoom, look],
  })
  const options = ConfigurationOptions.parse({ toolChoice: { tool: 'files__look_into_it' } })
  const snapshot = runSnapshot({ options })
  const state = await runAgent(runInput({ snapshot }), run.deps)
  const [first, second] = run.model.calls.map(({ request }) => request)
  expect(first?.tools.map(({ name }) => name)).toEqual(['look', 'zoom'])
  expect(first?.options?.toolChoice).toEqual({ tool: 'look' })
  expect(second?.tools).toEqual(first?.tools)
  expect(second?.messages.slice(1)).toMatchObject([
    { role: 'assistant', toolCalls: [{ name: 'look', argumentsText: '{"n":1}' }] },
    { role: 'tool', name: 'look', content: expect.stringContaining('tool="files__look_into_it"') },
  ])
  expect(JSON.stringify(first)).not.toContain('files__look_into_it')

  expect(eventsOf(run.events, 'round-start')[0]?.data.offered).toEqual([
    'files__look_into_it',
    'zoom',
  ])
  expect(state.rounds[0]?.calls).toMatchObject([
    { name: 'files__look_into_it', state: { outcome: { type: 'ok', content: 'It is 42.' } } },
  ])
  expect(JSON.stringify(run.events)).not.toContain('"look"')
})

test('a model in prompted mode is taught the alias', async () => {
  const run = runFixture({
    script: [says('<tool_call>{"name":"look","args":{}}</tool_call>'), says('42.')],
    tools: [look],
  })
  const targets = [modelTarget({ toolCalling: 'unsupported' })]
  const state = await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  const [first, second] = run.model.calls.map(({ request }) => request)
  expect(first?.system).toContain('{"name":"look","description"')
  expect(JSON.stringify(first)).not.toContain('files__look_into_it')
  expect(JSON.stringify(second?.messages)).toContain('"name\\":\\"look\\"')
  expect(JSON.stringify(second?.messages)).toContain('<tool_result name=\\"look\\">')
  expect(state.rounds[0]?.calls).toMatchObject([
    { name: 'files__look_into_it', state: { outcome: { type: 'ok' } } },
  ])
})

test('the name of a tool still means it, and an alias never another tool', () => {
  const tool = (name: string, alias?: string) => [name, { name, ...(alias && { alias }) }] as const
  const names = offeredNames(
    new Map([
      tool('files__read', 'read'),
      tool('notes__read', 'read'),
      tool('notes__list', 'zoom'),
      tool('zoom'),
    ]),
  )
  const { calledAs, meantBy } = names
  expect(calledAs('files__read')).toBe('read')
  expect(meantBy('read')).toBe('files__read')
  expect(meantBy('files__read')).toBe('files__read')
  // Taken by the first, and by a tool that has this name itself.
  expect(calledAs('notes__read')).toBe('notes__read')
  expect(calledAs('notes__list')).toBe('notes__list')
  expect(meantBy('zoom')).toBe('zoom')
})

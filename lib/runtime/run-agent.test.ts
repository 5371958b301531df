import { expect, test } from 'vitest'
import { eventsOf, runFixture, runInput, testTool, typesOf } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { runAgent } from './run-agent'

test('a prompt, two tools, an answer: every event in its place', async () => {
  const run = runFixture({
    script: [asks(['clock'], ['weather', { city: 'Ulm' }]), says('It is sunny.')],
    tools: [
      testTool('clock', { execute: async () => ({ content: '12:00' }) }),
      testTool('weather', { execute: async () => ({ content: { sky: 'clear' } }) }),
    ],
  })
  const state = await runAgent(runInput(), run.deps)
  run.model.verify()
  expect(typesOf(run.events)).toEqual([
    'run-start',
    'round-start',
    'message',
    'call-start',
    'call-start',
    'call-end',
    'call-end',
    'round-start',
    'message',
    'run-end',
  ])
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
  expect(state).toEqual(run.state())
  expect(run.model.calls[1]?.request.messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'tool',
  ])
  expect(eventsOf(run.events, 'message')[1]?.data.text).toBe('It is sunny.')
  expect(run.clock.sleepers()).toBe(0)
})

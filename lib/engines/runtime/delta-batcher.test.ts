import { expect, test } from 'vitest'
import type { ModelEvent } from '@/lib/protocol/model/message'
import { runFixture, runInput, shownTexts, testTool } from '@/tests/support/run-fixture'
import { finish, says } from '@/tests/support/scripted-model'
import { runAgent } from './run-agent'

test('deltas: the first is there at once, the rest in few pieces, nothing is lost', async () => {
  const words = Array.from({ length: 500 }, (_, index) => `word${index} `)
  let seenAfterFirst = 0
  const run = runFixture({
    script: [
      async function* () {
        for (const [index, text] of words.entries()) {
          yield { type: 'text-delta', text } as const
          if (index === 0) seenAfterFirst = run.deltas.length
        }
        yield finish({ text: words.join('') })
      },
    ],
  })
  await runAgent(runInput(), run.deps)
  const { deltas } = run
  expect(seenAfterFirst).toBe(1)
  expect(shownTexts(deltas).join('')).toBe(words.join(''))
  expect(deltas.length).toBeLessThan(10)
})

test('deltas: a pause brings out what was held back', async () => {
  const run = runFixture({
    script: [
      async function* () {
        yield { type: 'text-delta', text: 'a' } as const
        yield { type: 'text-delta', text: 'b' } as const
        await run.clock.sleep(5000)
        shown = shownTexts(run.deltas)
        yield finish({ text: 'ab' })
      },
    ],
  })
  let shown: string[] = []
  await runAgent(runInput(), run.deps)
  expect(shown).toEqual(['a', 'b'])
})

test('deltas: kinds do not mix, and a split surrogate pair is put together', async () => {
  const call = (argumentsText: string): ModelEvent => ({
    type: 'tool-call-delta',
    index: 0,
    name: 'look',
    argumentsText,
  })
  const run = runFixture({
    script: [
      [
        { type: 'reasoning-delta', text: 'Hm\ud83d' },
        { type: 'reasoning-delta', text: '\ude00' },
        { type: 'reasoning-delta', text: '!\ud83d' },
        { type: 'text-delta', text: 'Say' },
        call(''),
        call('{"a":'),
        call('1}'),
        finish({ toolCalls: [{ id: 'x', name: 'look', argumentsText: '{"a":1}' }] }),
      ],
      says('Done.'),
    ],
    tools: [testTool('look')],
  })
  await runAgent(runInput(), run.deps)
  const pieces = run.deltas.map((delta) => [
    delta.type,
    delta.type === 'call-delta' ? delta.data.argumentsText : delta.data.text,
  ])
  expect(pieces).toEqual([
    ['reasoning-delta', 'Hm'],
    ['reasoning-delta', '😀!'],
    ['text-delta', 'Say'],
    ['reasoning-delta', '\ufffd'],
    ['call-delta', '{"a":1}'],
    ['text-delta', 'Done.'],
  ])
})

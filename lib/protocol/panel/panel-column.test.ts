import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { runFixture, runInput, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { callProblemsOf, columnState } from './panel-column'

const secret = 'a result that no page of a panel shows'

test('a column keeps what was said, called and spent, and none of the results; further events fold onto it', async () => {
  const look = testTool('look', { execute: async () => ({ content: secret }) })
  const fail = testTool('fail', {
    execute: async () => {
      throw new Error('no')
    },
  })
  const run = runFixture({
    script: [asks(['look', { n: 1 }], ['fail', {}], ['gone', {}]), says('Done.')],
    tools: [look, fail],
  })
  const snapshot = runSnapshot({ systemPrompt: 'The system prompt.' })
  const state = await runAgent(runInput({ snapshot }), run.deps)
  const shown = columnState(state)
  const text = JSON.stringify(shown)
  expect(JSON.stringify(state)).toContain(secret)
  for (const left of [secret, 'The system prompt.', 'The look tool.'])
    expect(text).not.toContain(left)
  expect(shown).toMatchObject({
    usage: state.usage,
    costMicroUsd: state.costMicroUsd,
    end: state.end,
    lastSeq: state.lastSeq,
  })
  expect(shown.rounds.at(-1)?.text).toBe('Done.')
  expect(callProblemsOf(shown)).toEqual({ failed: 1, denied: 1, timedOut: 0 })

  // A page that was rendered in the middle ends as one that was rendered at the end.
  const half = run.events.slice(0, Math.floor(run.events.length / 2))
  expect(columnState(foldRun(run.events, columnState(foldRun(half))))).toEqual(shown)
})

import { expect, test } from 'vitest'
import { approvalNote, noteWords } from '@/lib/engines/runtime/policy/approval-note'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { whatCallMeets } from '@/lib/runs/start/try-tool'
import { runFixture, runInput, subjectConfiguration, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

/** Lets a run read a file with skills that allow these names. */
async function readWith(names: string[], args: Record<string, unknown>) {
  const read: unknown[] = []
  const tool = testTool('read_file', {
    parse: (given) => ({ ok: true, args: { path: 'docs/default.md', ...Object(given) } }),
    execute: async (given) => {
      read.push(given)
      return { content: 'text' }
    },
  })
  const configuration = subjectConfiguration({ grantedBySkills: new Set(names) })
  const run = runFixture({
    script: [asks(['read_file', args]), says('Done.')],
    tools: [tool],
    subject: { configuration },
  })
  const { rounds } = await runAgent(runInput(), run.deps)
  const call = rounds[0]?.calls[0]
  const outcome = call?.state.type === 'ended' ? call.state.outcome : null
  const { subject } = run.switches
  const argumentsText = JSON.stringify(args)
  const tried = whatCallMeets(tool, argumentsText, { subject, withConfiguration: true })
  const offered = rounds.map((round) => round.offered)
  const sent = JSON.stringify(run.model.calls.at(-1)?.request.messages)
  return { read, outcome, tried, offered, sent, note: approvalNote(tool, subject) }
}

test.each([
  [['Read']],
  [['Read(docs/**)']],
  [['Read(src/**)', 'Read(docs/*.md)']],
  [['Read(src/**)', 'read_file']],
])('%j lets a run read docs/a.md', async (names) => {
  const { read, outcome, tried } = await readWith(names, { path: 'docs/a.md' })
  expect(outcome?.type).toBe('ok')
  expect(read).toHaveLength(1)
  expect(tried.rules).toEqual([])
})

test.each([
  [{ path: 'src/a.ts' }],
  [{ path: 'docs/../src/a.ts', extra: true }],
  [{ path: '/docs/a.md' }],
  [{ path: ['docs/a.md'] }],
  [{ path: 1 }],
])('a pattern offers the tool and refuses %j, in words that a model can act on', async (args) => {
  const { read, outcome, tried, offered, sent, note } = await readWith(['Read(docs/*.md)'], args)
  const words = 'The skills of this run allow only those of its calls that fit Read(docs/*.md)'
  expect(offered[0]).toEqual(['read_file'])
  expect(outcome).toMatchObject({ type: 'denied', gate: 'skills', reason: `${words}.` })
  expect(read).toEqual([])
  expect(sent).toContain(words)
  expect(tried.rules).toEqual([{ id: null, name: words, action: 'deny' }])
  expect(note?.always).toBe(false)
  expect(noteWords(note)).toBe(`${words}.`)
})

test('the default of an argument that is left out must fit the pattern of the skill, too', async () => {
  const { outcome } = await readWith(['Read(src/**)'], {})
  expect(outcome).toMatchObject({ type: 'denied', gate: 'skills' })
})

test('a name that means nothing here offers nothing', async () => {
  const { offered, outcome } = await readWith(['Bash(cat *)', 'Read(/etc/**)'], { path: 'docs/a' })
  expect(offered[0]).toEqual([])
  expect(outcome).toMatchObject({ type: 'denied', gate: 'skills' })
})

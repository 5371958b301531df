import { expect, test } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { modelTarget, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { compareRuns, figureWords, type RunComparison } from './compare-runs'
import { foldRun, type RunState } from './fold-run'
import type { RunEventBody } from './run-event'
import type { RunSnapshot } from './run-snapshot'

type Call = { name: string; args: string; fails?: true }
type RunFacts = {
  prompt?: string
  snapshot?: Partial<RunSnapshot>
  tools?: string[]
  calls?: Call[]
  answer?: string
  tokens?: number
  costMicroUsd?: number | null
  firstTokenMs?: number | null
}

const figuresOf = (given: RunFacts) => ({
  usage: { ...emptyUsage, inputTokens: given.tokens ?? 100, outputTokens: 10 },
  costMicroUsd: given.costMicroUsd === undefined ? 1_000 : given.costMicroUsd,
})

/** Returns a run that ended, with calls in its first round and an answer in its second. */
function ran(given: RunFacts): RunState {
  const { calls = [], answer = 'Yes.', tools = [] } = given
  const started = { closing: false, target: 0, offered: tools, contextTokens: 10 }
  const said = {
    target: 0,
    reasoning: [],
    finishReason: 'stop' as const,
    latencyMs: 900,
    retries: 0,
    ...figuresOf(given),
    firstTokenMs: given.firstTokenMs === undefined ? 200 : given.firstTokenMs,
  }
  const request = calls.map(({ name, args }, at) => ({
    callId: `c${at}`,
    providerCallId: `p${at}`,
    name,
    argumentsText: args,
  }))
  const bodies: RunEventBody[] = [
    {
      type: 'run-start',
      data: {
        prompt: given.prompt ?? 'Who?',
        actor: { userId: 'u', email: 'ada@example.org', role: 'admin' },
        snapshot: runSnapshot(given.snapshot),
        accepted: tools.map((name) => testTool(name)),
        rejected: [],
        nonce: 'n',
        canary: '',
      },
    },
    { type: 'round-start', data: { round: 1, ...started } },
    { type: 'message', data: { round: 1, text: '', toolCalls: request, ...said } },
    ...calls.map(
      ({ name, fails }, at): RunEventBody => ({
        type: 'call-end',
        data: {
          round: 1,
          callId: `c${at}`,
          name,
          verdict: { allowed: true },
          durationMs: 5,
          outcome: fails
            ? { type: 'failed', code: 'x', message: 'No.', incidentId: null }
            : {
                type: 'ok',
                content: 'done',
                truncated: false,
                originalBytes: 4,
                flags: [],
                artifacts: [],
              },
        },
      }),
    ),
    { type: 'round-start', data: { round: 2, ...started } },
    { type: 'message', data: { round: 2, text: answer, toolCalls: [], ...said } },
    {
      type: 'run-end',
      data: {
        reason: 'completed',
        truncated: false,
        message: 'Done.',
        failure: null,
        ...figuresOf(given),
        wallTimeMs: 2_000,
      },
    },
  ]
  return foldRun(bodies.map((body, at) => ({ ...body, runId: 'r', seq: at + 1, at: at * 10 })))
}

const differenceOf = ({ figures }: RunComparison, wanted: string) =>
  figures.find(({ name }) => name === wanted)?.difference

test('two runs of the same differ in nothing', () => {
  const facts: RunFacts = { calls: [{ name: 'a', args: '{}' }], tools: ['a'] }
  const { sent, calls, answers, figures } = compareRuns(ran(facts), ran(facts))
  expect(sent).toEqual([])
  expect(calls).toMatchObject([{ same: true }])
  expect(answers.before).toBe(answers.after)
  expect(new Set(figures.map(({ difference }) => difference))).toEqual(new Set(['the same']))
})

test('differences of what was sent are listed by kind', () => {
  const { sent } = compareRuns(
    ran({ tools: ['a', 'b'] }),
    ran({
      prompt: 'Who is it?',
      tools: ['b'],
      snapshot: {
        systemPrompt: 'Be long.',
        parameters: { ...defaultModelParameters, temperature: 0.5 },
        targets: [modelTarget({ modelId: 'other' })],
      },
    }),
  )
  expect(sent).toEqual([
    { type: 'value', label: 'Model', before: 'test-model at Test', after: 'other at Test' },
    { type: 'text', label: 'System prompt', before: 'Be brief.', after: 'Be long.' },
    { type: 'text', label: 'Prompt', before: 'Who?', after: 'Who is it?' },
    { type: 'value', label: 'Temperature', before: 'model’s default', after: '0.5' },
    { type: 'list', label: 'Tools offered', before: ['a', 'b'], after: ['b'] },
  ])
})

test('calls of the same tool stand beside each other, in order', () => {
  const call = (name: string, args = '{}') => ({ name, args })
  const { calls } = compareRuns(
    ran({ calls: [call('a'), call('b'), call('c')] }),
    ran({ calls: [call('b', '{"x":1}'), { ...call('c'), fails: true }, call('d')] }),
  )
  const shown = calls.map(({ before, after, same }) => [before?.name, after?.name, same])
  expect(shown).toEqual([
    ['a', undefined, false],
    ['b', 'b', false],
    ['c', 'c', false],
    [undefined, 'd', false],
  ])
  expect(calls[1]?.after?.arguments).toBe('{"x":1}')
  expect(calls[2]).toMatchObject({ before: { outcome: 'ok' }, after: { outcome: 'failed' } })
})

test('very many calls that have little in common stand one after the other', () => {
  const calls = (letter: string) =>
    Array.from({ length: 1_200 }, (_, at) => ({ name: `${letter}${at}`, args: '{}' }))
  const compared = compareRuns(ran({ calls: calls('a') }), ran({ calls: calls('b') })).calls
  expect(compared).toHaveLength(2_400)
  expect(compared[0]).toMatchObject({ before: { name: 'a0' }, after: null })
  expect(compared.at(-1)).toMatchObject({ before: null, after: { name: 'b1199' } })
})

test('figures differ in words and percent', () => {
  const first = ran({ tokens: 100, costMicroUsd: 2_000, firstTokenMs: 400 })
  const more = compareRuns(first, ran({ tokens: 150, costMicroUsd: 1_000, firstTokenMs: 500 }))
  expect(differenceOf(more, 'inputTokens')).toBe('100 more (+50 %)')
  expect(differenceOf(more, 'costMicroUsd')).toBe('$0.002 less (−50 %)')
  expect(differenceOf(more, 'firstTokenMs')).toContain('longer (+25 %)')
  const unpriced = compareRuns(first, ran({ costMicroUsd: null }))
  expect(differenceOf(unpriced, 'costMicroUsd')).toBe('not comparable')
  expect(figureWords('costMicroUsd', null)).toBe('unpriced')
})

test('a run without a start or an end has what there is so far', () => {
  const { sent, figures } = compareRuns(foldRun([]), ran({}))
  expect(sent).toEqual([])
  expect(figures.find(({ name }) => name === 'wallTimeMs')).toMatchObject({
    before: null,
    difference: 'not comparable',
  })
})

import { expect, test } from 'vitest'
import type { CheckRunDetail } from '@/lib/runs/checks/schemas'
import { junitXml } from './junit'

type Result = CheckRunDetail['results'][number]

const result = (more: Partial<Result>): Result => ({
  id: '1',
  checkId: 'c',
  checkName: 'Reads <all> & "more"',
  configuration: { id: 'k', name: "Ada's", version: 3 },
  try: 1,
  runId: 'r1',
  verdict: 'passed',
  reason: '',
  judged: [],
  costMicroUsd: 12,
  durationMs: 1_500,
  ...more,
})

const run = (verdict: CheckRunDetail['verdict'], results: Result[]): CheckRunDetail => ({
  id: 'x',
  name: 'Suite',
  isSuite: false,
  previous: null,
  configurationIds: [],
  mode: 'recorded',
  by: 'ada@example.org',
  createdAt: '2026-11-30T12:00:00.000Z',
  endedAt: null,
  status: 'running',
  stoppedBy: null,
  verdict,
  passed: 0,
  failed: 0,
  notRun: 0,
  open: 0,
  costMicroUsd: 0,
  checks: [
    {
      checkId: 'c',
      checkName: 'Reads <all> & "more"',
      configurationId: 'k',
      configurationName: "Ada's",
      verdict,
      tries: results.length,
      passed: 0,
      passes: 1,
      before: null,
      configurationVersion: 1,
      versionBefore: null,
    },
  ],
  results,
})

const red = {
  assertion: { type: 'tool-called', tool: 'a', atLeast: 1 },
  passed: false,
  sentence: 'a was not\u0000 called.\u001b[31m The answer is "<b>\uFFFF\uD800".',
} as const

test('a green check is a test case without words, with its time', () => {
  expect(junitXml(run('passed', [result({})]))).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites>',
      '  <testsuite name="Suite" tests="1" failures="0" errors="0" time="1.500" timestamp="2026-11-30T12:00:00">',
      '    <testcase name="Reads &lt;all&gt; &amp; &quot;more&quot;" classname="Ada&apos;s" time="1.500"/>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  )
})

test('a red check has its sentences, without characters that XML cannot have', () => {
  const xml = junitXml(run('failed', [result({ verdict: 'failed', judged: [red] })]))
  const sentence =
    'Calls a at least once: a was not called.[31m The answer is &quot;&lt;b&gt;\uFFFD&quot;. (run r1)'
  expect(xml).toContain('failures="1" errors="0"')
  expect(xml).toContain(`<failure message="${sentence}" type="failed">${sentence}</failure>`)
  expect(xml).not.toMatch(/(?![\n])\p{Cc}/u)
})

test('a check that did not run is an error with its reason, and tries have numbers', () => {
  const refused = result({ verdict: 'not-run', reason: 'Frozen.', runId: null, judged: null })
  const xml = junitXml(run('not-run', [refused, { ...refused, id: '2', try: 2 }]))
  expect(xml).toContain('failures="0" errors="1"')
  expect(xml).toContain(
    '<error message="Try 1: Frozen." type="not-run">Try 1: Frozen.&#10;Try 2: Frozen.</error>',
  )
})

import { expect, test, vi } from 'vitest'
import { addUp, countFiles, countJourneys, tryAgain } from './second-try.mjs'

type Status = 'passed' | 'failed' | 'skipped'
const file = (name: string, statuses: Status[], status: 'passed' | 'failed') => ({
  name,
  status,
  assertionResults: statuses.map((each, index) => ({
    status: each,
    fullName: `test ${index + 1}`,
  })),
})

test('a file fails with its tests, or as one when it fails before them', () => {
  const testResults = [
    file('a.test.ts', ['passed', 'passed'], 'passed'),
    file('b.test.ts', ['passed', 'failed', 'failed'], 'failed'),
    file('c.test.ts', ['skipped', 'skipped'], 'failed'),
  ]
  expect(countFiles({ testResults }, '')).toEqual({
    passed: 3,
    failed: 3,
    outside: [],
    lucky: [],
    broken: [
      { file: 'b.test.ts', passed: 1, failed: 2, names: ['test 2', 'test 3'] },
      { file: 'c.test.ts', passed: 0, failed: 1, names: [] },
    ],
  })
})

test('an error outside of tests stays a failure, whatever is tried again', async () => {
  const testResults = [file('a.test.ts', ['failed'], 'failed')]
  const first = countFiles({ testResults }, 'Vitest caught 1 unhandled error during the test run.')
  expect(first.failed).toBe(2)
  const after = await tryAgain(first, async () => ({ passed: 1, failed: 0, lucky: [], broken: [] }))
  expect(after).toMatchObject({ passed: 1, failed: 1 })
  expect(addUp([after]).lines).toContain('  an error outside of the tests')
})

const b = { file: 'b.test.ts', passed: 1, failed: 2, names: ['waits'] }
const c = { file: 'c.test.ts', passed: 0, failed: 1, names: [] }
const broken = (...files: (typeof b)[]) => ({
  passed: 10,
  failed: files.reduce((sum, { failed }) => sum + failed, 0),
  lucky: [],
  broken: files,
})
const outcome = (passed: number, failed: number) => async () => ({
  passed,
  failed,
  lucky: [],
  broken: [],
})

test('what passes alone counts as passed and is named', async () => {
  const after = await tryAgain(broken(b), outcome(3, 0))
  expect(addUp([after, { passed: 1, failed: 0 }])).toEqual({
    passed: 13,
    failed: 0,
    lines: [
      'Passed at the second try only. Mend these before anything else:',
      '  b.test.ts › waits',
    ],
  })
})

test('what fails again, or runs nothing, stays failed', async () => {
  expect(addUp([await tryAgain(broken(b), outcome(2, 1))])).toMatchObject({
    failed: 2,
    lines: ['Failed:', '  b.test.ts › waits'],
  })
  expect(addUp([await tryAgain(broken(c), outcome(0, 0))])).toMatchObject({
    failed: 1,
    lines: ['Failed:', '  c.test.ts'],
  })
})

test('more than two broken files are not tried again', async () => {
  const runAlone = vi.fn(outcome(3, 0))
  const after = await tryAgain(broken(b, c, { ...c, file: 'd.test.ts' }), runAlone)
  expect(runAlone).not.toHaveBeenCalled()
  expect(addUp([after])).toMatchObject({ passed: 10, failed: 4 })
  expect(addUp([after]).lines).toHaveLength(4)
})

test('journeys that passed at their second try are named; more than two of all count as failed', async () => {
  const flaky = { file: 'people.spec.ts', line: 15, title: 'ends', tests: [{ status: 'flaky' }] }
  const fine = { ...flaky, title: 'begins', tests: [{ status: 'expected' }] }
  const unexpected = { ...flaky, line: 20, tests: [{ status: 'unexpected' }] }
  const suites = [{ specs: [fine], suites: [{ specs: [flaky] }] }]
  const journeys = countJourneys({ stats: { expected: 1, flaky: 1, unexpected: 0 }, suites })
  expect(journeys).toMatchObject({
    passed: 2,
    failed: 0,
    lucky: ['tests/e2e/people.spec.ts:15 › ends'],
  })
  const failing = countJourneys({
    stats: { expected: 0, flaky: 0, unexpected: 1 },
    suites: [{ specs: [unexpected] }],
  })
  expect(addUp([failing]).lines).toEqual(['Failed:', '  tests/e2e/people.spec.ts:20 › ends'])
  const files = await tryAgain(broken(b, c), outcome(3, 0))
  expect(addUp([files, journeys])).toEqual({
    passed: 14,
    failed: 3,
    lines: [
      'Passed at the second try only, and count as failed, because they are more than 2:',
      '  b.test.ts › waits',
      '  c.test.ts',
      '  tests/e2e/people.spec.ts:15 › ends',
    ],
  })
})

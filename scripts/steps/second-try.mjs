/** As many may pass at their second try only. More are no accident. */
const MOST_LUCKY = 2

/**
 * Counts the tests of a Vitest report: `{ passed, failed, lucky, broken }`. `broken` are the files that failed, each with
 * its own counts and the names of what failed in it. A file that failed without a failed test counts as one. What Vitest
 * caught outside of tests is in its `output` alone and counts as one, too; trying again would not show that it is gone.
 */
export function countFiles({ testResults }, output) {
  const files = testResults.map(countFile)
  const outside = /caught \d+ unhandled error/.test(output) ? 1 : 0
  return {
    passed: sum(files, 'passed'),
    failed: sum(files, 'failed') + outside,
    lucky: [],
    broken: files.filter(({ failed }) => failed > 0),
  }
}

function countFile({ name: file, status, assertionResults }) {
  const failed = assertionResults.filter((each) => each.status === 'failed')
  return {
    file,
    passed: assertionResults.filter((each) => each.status === 'passed').length,
    failed: status === 'failed' ? Math.max(failed.length, 1) : failed.length,
    names: failed.map(({ fullName }) => fullName),
  }
}

/** Counts the journeys of a Playwright report, which tries each a second time by itself. */
export function countJourneys({ stats, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    lucky: suites.flatMap(luckyIn),
    broken: [],
  }
}

function luckyIn({ specs = [], suites = [] }) {
  const lucky = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
  const names = lucky.map(({ file, line, title }) => `tests/e2e/${file}:${line} › ${title}`)
  return [...names, ...suites.flatMap(luckyIn)]
}

/**
 * Runs each broken file again by `runAlone` (resolves to the counts of that file) and returns the counts that hold then.
 * Runs none when there are more than may be lucky.
 */
export async function tryAgain(first, runAlone) {
  const { broken } = first
  if (broken.length > MOST_LUCKY) return first
  let { passed, failed } = first
  const lucky = [...first.lucky]
  for (const { file, ...before } of broken) {
    const second = await runAlone(file)
    if (second.failed > 0 || second.passed === 0) continue
    passed += second.passed - before.passed
    failed -= before.failed
    lucky.push([file, ...before.names].join(' › '))
  }
  return { passed, failed, lucky, broken }
}

/**
 * Adds up all results: `{ passed, failed, lines }`, where `lines` name what passed at its second try only. More of them
 * than may be count as failed.
 */
export function addUp(results) {
  const [passed, failed] = [sum(results, 'passed'), sum(results, 'failed')]
  const lucky = results.flatMap((result) => result.lucky ?? [])
  if (lucky.length === 0) return { passed, failed, lines: [] }
  const tooMany = lucky.length > MOST_LUCKY
  const lines = [
    tooMany
      ? `Passed at the second try only, and count as failed, because they are more than ${MOST_LUCKY}:`
      : 'Passed at the second try only. Mend these before anything else:',
    ...lucky.map((name) => `  ${name}`),
  ]
  if (!tooMany) return { passed, failed, lines }
  return { passed: passed - lucky.length, failed: failed + lucky.length, lines }
}

function sum(counts, field) {
  return counts.reduce((total, each) => total + each[field], 0)
}

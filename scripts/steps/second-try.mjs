/** As many may pass at their second try only. More are no accident. */
const MOST_LUCKY = 2

/**
 * Counts the tests of a Vitest report: `{ passed, failed, lucky, broken }`. `broken` are the files that failed, each with
 * its own counts and the names of what failed in it. A file that failed without a failed test counts as one. What Vitest
 * caught outside of tests is in its `output` alone and counts as one, too, in `outside`; trying again would not show that it is gone.
 */
export function countFiles({ testResults }, output) {
  const files = testResults.map(countFile)
  const outside = /caught \d+ unhandled error/.test(output) ? ['an error outside of the tests'] : []
  return {
    passed: sum(files, 'passed'),
    failed: sum(files, 'failed') + outside.length,
    outside,
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
    lucky: suites.flatMap((suite) => journeysThat('flaky', suite)),
    broken: suites.flatMap((suite) => journeysThat('unexpected', suite)).map(asBroken),
  }
}

/** Returns the names of the journeys that ended with this status. */
function journeysThat(ended, { specs = [], suites = [] }) {
  const these = specs.filter(({ tests }) => tests.some(({ status }) => status === ended))
  const names = these.map(({ file, line, title }) => `tests/e2e/${file}:${line} › ${title}`)
  return [...names, ...suites.flatMap((suite) => journeysThat(ended, suite))]
}

function asBroken(file) {
  return { file, passed: 0, failed: 1, names: [] }
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
  const still = []
  for (const each of broken) {
    const { file, ...before } = each
    const second = await runAlone(file)
    if (second.failed > 0 || second.passed === 0) {
      still.push(each)
      continue
    }
    passed += second.passed - before.passed
    failed -= before.failed
    lucky.push(nameOf(each))
  }
  return { ...first, passed, failed, lucky, broken: still }
}

function nameOf({ file, names }) {
  return [file, ...names].join(' › ')
}

/**
 * Adds up all results: `{ passed, failed, lines }`, where `lines` name what failed, and what passed at its second try
 * only: they stand at the end, where a reader of a cut output finds them. More of the latter than may be count as failed.
 */
export function addUp(results) {
  const [passed, failed] = [sum(results, 'passed'), sum(results, 'failed')]
  const lucky = results.flatMap((result) => result.lucky ?? [])
  const broken = results.flatMap((result) => [
    ...(result.broken ?? []).map(nameOf),
    ...(result.outside ?? []),
  ])
  const tooMany = lucky.length > MOST_LUCKY
  const lines = [
    ...named('Failed:', broken),
    ...named(
      tooMany
        ? `Passed at the second try only, and count as failed, because they are more than ${MOST_LUCKY}:`
        : 'Passed at the second try only. Mend these before anything else:',
      lucky,
    ),
  ]
  if (!tooMany) return { passed, failed, lines }
  return { passed: passed - lucky.length, failed: failed + lucky.length, lines }
}

function named(title, names) {
  return names.length === 0 ? [] : [title, ...names.map((name) => `  ${name}`)]
}

function sum(counts, field) {
  return counts.reduce((total, each) => total + each[field], 0)
}

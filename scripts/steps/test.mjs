import path from 'node:path'
import { buildIfChanged, generateIfChanged } from './build.mjs'
import { check } from './checks.mjs'
import { findFreePorts } from './free-ports.mjs'
import { installEverything } from './install.mjs'
import { installBrowser, installSystemPrograms } from './install-browser.mjs'
import { addUp, countFiles, countJourneys, tryAgain } from './second-try.mjs'
import { runSteps, StepError, step } from './step.mjs'
import { beginTestRun } from './test-run.mjs'
import { whenParentEnds } from './when-parent-ends.mjs'

const BIN = 'node_modules'

whenParentEnds(() => process.exit(1))
beginTestRun()
// Beside the packages, of which it needs none.
const systemPrograms = installSystemPrograms()
await runSteps(async () => {
  console.log('\nToolgate: all tests\n')
  await step('Install packages', installEverything)
  await step('Generate code', generateIfChanged)
})
// Two lines of work at a time keep two cores busy: the build and the tests that need it one after the other, and beside
// them the checks, of which that of types needs the types of routes that the build makes. Browser tests have the machine
// to themselves: beside the integration tests, both wait for one another.
const built = attempt('Build', buildIfChanged)
const results = [
  ...(await Promise.all([runAfter(built), checkSources(built)])).flat(),
  await runBrowserTests(),
]
const { passed, failed, lines } = addUp(results)
if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function runAfter(build) {
  const isBuilt = await build
  await systemPrograms
  const once = await check('Server code built once', ['scripts/check-server-once.mjs'])
  return [isBuilt, once, await runTests()]
}

/** Checks the sources with one tool after the other, because each keeps a core busy. */
async function checkSources(build) {
  const checks = [
    await check('Lint', [`${BIN}/@biomejs/biome/bin/biome`, 'ci', '--error-on-warnings']),
    await check('Arrows', ['scripts/check-arrows.mjs']),
    await check('Unused code', [`${BIN}/knip/bin/knip.js`, '--no-config-hints']),
  ]
  await build
  // Each checker more would work out again what all files use: half more work, while the tests keep the other core busy.
  const types = [`${BIN}/@typescript/native/bin/tsc`, '--noEmit', '--checkers', '1']
  return [...checks, await check('Types', types)]
}

/**
 * Runs them together: the runner starts once, and one queue of files leaves no core idle between them. A file that failed
 * runs again alone.
 */
async function runTests() {
  const first = await runFiles('Unit, component and integration tests', [])
  return tryAgain(first, (file) => runFiles(`Once more, alone: ${relative(file)}`, [file]))
}

function runFiles(title, files) {
  const args = [
    'run',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=REPORT',
    ...files,
  ]
  return check(title, [`${BIN}/vitest/vitest.mjs`, ...args], { count: countFiles })
}

function relative(file) {
  return path.relative(process.cwd(), file)
}

async function runBrowserTests() {
  const browser = await attempt('Browser', async () => {
    await systemPrograms
    await installBrowser()
  })
  if (browser.failed > 0) return browser
  const args = [`${BIN}/playwright/cli.js`, 'test', '--reporter=list,json']
  return check('End-to-end tests', args, {
    env: { E2E_PORT: String(await findFreePorts()) },
    count: countJourneys,
  })
}

/** Runs one of our own steps and counts it as one check. */
async function attempt(title, work) {
  const started = performance.now()
  try {
    await work()
    console.log(`  ${title}: ok (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    return { passed: 1, failed: 0 }
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    console.log(`  ${title}: FAILED\n\n${error.output}\n\n${error.message}\n`)
    return { passed: 0, failed: 1, outside: [title] }
  }
}

import { buildIfChanged, generateIfChanged } from './build.mjs'
import { check } from './checks.mjs'
import { findFreePorts } from './free-ports.mjs'
import { install } from './install.mjs'
import { runSteps, StepError, step } from './step.mjs'

const BIN = 'node_modules'
const NEXT = `${BIN}/next/dist/bin/next`

const projects = {
  unit: { title: 'Unit and component tests', only: ['--project=!integration*'] },
  integration: { title: 'Integration tests', only: ['--project=integration*'] },
}

await runSteps(async () => {
  console.log('\nToolgate: all tests\n')
  await step('Install packages', install)
  await step('Generate code', generateIfChanged)
})
// The build often uses only one core, so checks run beside it. Types and integration tests follow, because they need the
// types of routes and the command line that the build makes. Browser tests have the machine to themselves: beside the
// integration tests, both wait for one another.
const results = [
  ...(await together(attempt('Build', buildIfChanged), checkSources(), runTests('unit'))),
  ...(await together(checkTypes(), runTests('integration'))),
  await runBrowserTests(),
]
const passed = results.reduce((sum, result) => sum + result.passed, 0)
const failed = results.reduce((sum, result) => sum + result.failed, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Resolves with the results of work that runs at the same time, in one list. */
async function together(...work) {
  return (await Promise.all(work)).flat()
}

/** Checks the sources with one tool after the other, because each keeps a core busy. */
async function checkSources() {
  return [
    await check('Lint', [`${BIN}/@biomejs/biome/bin/biome`, 'ci', '--error-on-warnings']),
    await check('Arrows', ['scripts/check-arrows.mjs']),
    await check('Unused code', [`${BIN}/knip/bin/knip.js`, '--no-config-hints']),
  ]
}

async function checkTypes() {
  return [
    await check('Types of routes', [NEXT, 'typegen']),
    await check('Types', [`${BIN}/@typescript/native/bin/tsc`, '--noEmit']),
  ]
}

function runTests(which) {
  const { title, only } = projects[which]
  const args = ['run', ...only, '--reporter=default', '--reporter=json', '--outputFile.json=REPORT']
  return check(title, [`${BIN}/vitest/vitest.mjs`, ...args], {
    count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
  })
}

async function runBrowserTests() {
  const browser = await attempt('Browser', async () => {
    const { installBrowser } = await import('./install-browser.mjs')
    await installBrowser()
  })
  if (browser.failed > 0) return browser
  const args = [`${BIN}/@playwright/test/cli.js`, 'test', '--reporter=list,json']
  return check('End-to-end tests', args, {
    env: { E2E_PORT: String(await findFreePorts()) },
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
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
    return { passed: 0, failed: 1 }
  }
}

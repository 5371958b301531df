import { buildIfChanged, generateIfChanged } from './build.mjs'
import { check } from './checks.mjs'
import { findFreePorts } from './free-ports.mjs'
import { install } from './install.mjs'
import { runSteps, StepError, step } from './step.mjs'

const BIN = 'node_modules'
const NEXT = `${BIN}/next/dist/bin/next`

await runSteps(async () => {
  console.log('\nToolgate: all tests\n')
  await step('Install packages', install)
  await step('Generate code', generateIfChanged)
})
const results = [
  await attempt('Build', buildIfChanged),
  ...(await checkCode()),
  await runTests(),
  await runBrowserTests(),
]
const passed = results.reduce((sum, result) => sum + result.passed, 0)
const failed = results.reduce((sum, result) => sum + result.failed, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Behind the build, which writes the route types that are checked; before the tests, which keep every core busy. */
async function checkCode() {
  const routes = await check('Types of routes', [NEXT, 'typegen'])
  const others = await Promise.all([
    check('Types', [`${BIN}/@typescript/native/bin/tsc`, '--noEmit']),
    check('Lint', [`${BIN}/@biomejs/biome/bin/biome`, 'ci', '--error-on-warnings']),
    check('Arrows', ['scripts/check-arrows.mjs']),
    check('Unused code', [`${BIN}/knip/bin/knip.js`, '--no-config-hints']),
  ])
  return [routes, ...others]
}

function runTests() {
  const args = ['run', '--reporter=default', '--reporter=json', '--outputFile.json=REPORT']
  return check('Unit, component and integration tests', [`${BIN}/vitest/vitest.mjs`, ...args], {
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

/** A step of ours as one check. */
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

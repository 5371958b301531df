// Runs the unit tests alone, for scripts/steps/try-node.mjs, which reads the last line.
import { generateIfChanged } from './build.mjs'
import { check } from './checks.mjs'
import { installEverything } from './install.mjs'
import { runSteps, step } from './step.mjs'

await runSteps(async () => {
  await step('Install packages', installEverything)
  await step('Generate code', generateIfChanged)
})
const projects = ['--project', 'unit', '--project', 'unit, alone']
// Slow is not wrong here: this is about versions of Node, and the machine may be busy.
const limit = '--testTimeout=120000'
// Names only what failed.
const reports = ['--reporter=minimal', '--reporter=json', '--outputFile.json=REPORT']
const { passed, failed } = await check(
  'Unit tests',
  ['node_modules/vitest/vitest.mjs', 'run', ...projects, limit, ...reports],
  { count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }) },
)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

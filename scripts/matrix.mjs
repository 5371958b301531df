// npm run matrix: tries this checkout on each supported version of Node, minutes for each. A fresh copy is started with
// quickstart, the demo runs a prompt that calls a tool, and the unit tests run. Prints a table.
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runSteps, StepError } from './steps/step.mjs'
import { beginTestRun } from './steps/test-run.mjs'
import { tryNode } from './steps/try-node.mjs'

const { engines } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json')))
/** The oldest version that package.json allows, and the newest of each line after it that the README names. */
const SUPPORTED = [engines.node.replace('>=', ''), '22', '24']
const COLUMNS = {
  version: 'Node',
  quickstart: 'quickstart',
  demo: 'demo run',
  tests: 'unit tests',
  seconds: 'seconds',
}

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (values.help) {
  console.log(`npm run matrix -- [VERSION …]
  Tries versions of Node that npm has, such as 24 or 22.12.0 (${SUPPORTED.join(', ')}).`)
  process.exit(0)
}

await runSteps(async () => {
  if (process.platform === 'win32') throw new StepError('npm run matrix needs Linux or macOS.')
  // Ends what a copy started, and removes the copies, after this process, however that ends.
  beginTestRun()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  const folder = mkdtempSync(path.join(tmpdir(), 'matrix-'))
  // PostgreSQL cannot run as root, and its own user must be able to enter the folder.
  chmodSync(folder, 0o755)
  const rows = []
  for (const version of positionals.length > 0 ? positionals : SUPPORTED) {
    rows.push(await tryNode(version, folder))
  }
  report(rows)
})

function report(rows) {
  const table = [COLUMNS, ...rows]
  const names = Object.keys(COLUMNS)
  const widths = names.map((name) => Math.max(...table.map((row) => row[name].length)))
  console.log()
  for (const row of table) {
    console.log(`  ${names.map((name, at) => row[name].padEnd(widths[at])).join('   ')}`.trimEnd())
  }
  for (const { version, warnings } of rows) {
    for (const warning of warnings) console.log(`\n  Node ${version} warned: ${warning}`)
  }
  const passed = rows.filter(({ ok }) => ok).length
  console.log(`\n${passed} passed, ${rows.length - passed} failed`)
  process.exitCode = passed === rows.length ? 0 : 1
}

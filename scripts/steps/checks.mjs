import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { capture } from './run-program.mjs'

const END_WITH_PARENT = new URL('./end-with-parent.mjs', import.meta.url).href

/**
 * Runs `node <args>` and prints its result. Without `count` it is one check; with it, `count` gets the runner's JSON
 * report (REPORT in `args` is its file, in the folder of the test run) and its output. Returns `{ passed, failed }` and
 * whatever else `count` returns. Prints the output of what failed, or passed at its second try only.
 */
export async function check(title, args, { count, env: more } = {}) {
  const started = performance.now()
  const report = path.join(tmpdir(), `${title.replaceAll(/\W+/g, '-')}.json`)
  const command = ['--import', END_WITH_PARENT, ...args].map((argument) =>
    argument.replace('REPORT', report),
  )
  const env = { CI: 'true', PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...more }
  const { code, output } = await capture(process.execPath, command, env)
  const result = tally({ title, code, output }, count ? readReport(report) : undefined, count)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const numbers = count
    ? `${result.passed} passed, ${result.failed} failed`
    : code === 0
      ? 'ok'
      : 'FAILED'
  console.log(`  ${title}: ${numbers} (${seconds} s)`)
  if (result.failed > 0 || result.lucky?.length > 0) console.log(`\n${output.trim()}\n`)
  return result
}

/**
 * Counts the results of a runner. A runner that fails without a failed test (a file that does not load, a server that
 * does not start) counts as one failure.
 */
function tally({ title, code, output }, report, count) {
  if (!count)
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, outside: [title] }
  const counts = report ? count(report, output) : { passed: 0, failed: 0, lucky: [], broken: [] }
  const { passed, failed } = counts
  const silent = failed === 0 && (code !== 0 || passed === 0)
  if (!silent) return counts
  return { ...counts, failed: 1, outside: [`${title} (ended with ${code}, without a failed test)`] }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

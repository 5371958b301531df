// npm run chaos: what takes too long for every test run. Servers, clocks, disks and PostgreSQL fail: no run is lost, no
// write is done twice, no event is missing, and another server goes on in time. The last line counts what was tried.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { beginTestRun } from './steps/test-run.mjs'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    runs: { type: 'string', default: '100' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`npm run chaos -- [--kills N] [--runs N] [--only WORDS]
  --kills  how often servers are killed, with 1, 2 and 5 of them (200); backups, restores and suites of checks a tenth as often
  --runs   how many runs others take over from a killed or paused server (100)
  --only   tries only what has these words in its name: "disk", "clocks", "5 servers", "killed backup"`)
  process.exit(0)
}

beginTestRun()
const file = path.join(tmpdir(), 'report.json')
const names = [
  'takeover.test.ts',
  'chaos.test.ts',
  'chaos-coordinations.test.ts',
  'chaos-checks.test.ts',
  'chaos-machine.alone.test.ts',
  'full-disk.test.ts',
  'database-back.test.ts',
  'chaos-backup.test.ts',
]
const args = [
  'vitest',
  'run',
  '--no-file-parallelism',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${file}`,
  ...names.map((name) => `tests/integration/${name}`),
  ...(values.only ? ['-t', values.only] : []),
]
const full = {
  TOOLGATE_FULL_CHAOS: '1',
  TOOLGATE_CHAOS_KILLS: values.kills,
  TOOLGATE_CHAOS_RUNS: values.runs,
}
const { status } = spawnSync('npx', args, { stdio: 'inherit', env: { ...process.env, ...full } })

const tried = readTried()
const words = { passed: 'passed', failed: 'FAILED' }
console.log()
for (const { status: outcome, title, duration = 0, meta = {}, failureMessages = [] } of tried) {
  const seconds = `${(duration / 1000).toFixed(1)} s`.padStart(8)
  console.log(`${(words[outcome] ?? 'not tried').padEnd(9)} ${seconds}  ${title}`)
  const failure = outcome === 'failed' ? failureMessages[0]?.split('\n')[0] : undefined
  const more = failure ?? meta.measured ?? meta.missing
  if (more) console.log(`${' '.repeat(20)}${more}`)
}
const count = (outcome) => tried.filter((each) => each.status === outcome).length
const [passed, failed] = [count('passed'), count('failed')]
const left = tried.length - passed - failed
if (left > 0) console.log(`${left} not tried, because this machine lacks what they need.`)
// A file that could not be loaded has no tests that failed.
const broken = failed === 0 && status !== 0 ? 1 : 0
console.log(`${passed} passed, ${failed + broken} failed`)
process.exit(status ?? 1)

function readTried() {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
    const all = testResults.flatMap(({ assertionResults }) => assertionResults)
    return values.only ? all.filter(({ title }) => title.includes(values.only)) : all
  } catch {
    return []
  }
}

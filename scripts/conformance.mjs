// npm run conformance: what the public conformance runner for MCP asks of clients, revision by revision, one scenario after
// another. The runner and its Node come from their own lockfile.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { capture, runNpm } from './steps/run-program.mjs'
import { runSteps, StepError, step } from './steps/step.mjs'

const REVISIONS = ['2025-11-25', '2026-07-28']
/** Features that Toolgate refuses in words, so a scenario that needs one cannot pass. */
const REFUSED = {
  'elicitation-sep1034-client-defaults': 'the server asks a person something',
  'sep-2322-client-request-state': 'the server asks something before it answers',
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', default: false } },
})
if (values.help) {
  console.log(`npm run conformance -- [--only WORDS]
  --only   tries only scenarios that have these words in their name: "http-"`)
  process.exit(0)
}

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'node_modules/.cache/toolgate-conformance')
const runnerFolder = path.join(folder, 'node_modules/@modelcontextprotocol/conformance')
const node = path.join(folder, 'node_modules/node/bin/node')
const client = path.join(root, 'scripts/conformance/client.ts')
const command = `"${process.execPath}" --conditions=react-server --import tsx "${client}"`

await runSteps(async () => {
  process.chdir(root)
  await step('Install the runner', install)
  const tried = []
  for (const revision of REVISIONS) tried.push(await tryRevision(revision))
  const failed = tried.reduce((count, { failed }) => count + failed, 0)
  const passed = tried.reduce((count, { passed }) => count + passed, 0)
  if (tried.every(({ chosen }) => chosen === 0)) {
    throw new StepError(`No scenario has ${JSON.stringify(values.only)} in its name.`)
  }
  console.log()
  for (const { revision, required, passed, refused } of values.only ? [] : tried) {
    console.log(`${revision}: ${passed} of ${required} passed; ${refused} are refused in words`)
  }
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
})

async function install() {
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(path.join(root, 'scripts/conformance', name), path.join(folder, name))
  }
  await runNpm(['ci', '--prefix', folder], 'The runner could not be installed.')
}

async function tryRevision(revision) {
  const required = requiredOf(revision)
  const chosen = required.filter((name) => name.includes(values.only ?? ''))
  const count = { passed: 0, failed: 0, refused: 0 }
  console.log(`\nRevision ${revision}`)
  for (const name of chosen) {
    let output = ''
    const outcome = await step(name, async () => {
      const run = await runScenario(name, revision)
      output = run.output
      return outcomeOf(name, run)
    })
    count[outcome.split(':')[0]] += 1
    if (outcome === 'failed') console.log(`\n${output.trim()}\n`)
  }
  return { revision, required: required.length, chosen: chosen.length, ...count }
}

/** Returns the scenarios that a revision requires of clients, from the runner's own list. */
function requiredOf(revision) {
  const text = readFileSync(path.join(runnerFolder, 'requirements', `${revision}.yaml`), 'utf8')
  const [, list = ''] = /^client:\n((?: {2}- .+\n)+)/m.exec(text) ?? []
  const names = [...list.matchAll(/- (\S+)/g)].map(([, name]) => name)
  if (names.length === 0) throw new StepError(`The runner names no scenario of ${revision}.`)
  return names
}

function runScenario(name, revision) {
  const runner = path.join(runnerFolder, 'dist/index.js')
  const args = ['--scenario', name, '--spec-version', revision, '--command', command]
  return capture(node, [runner, 'client', ...args])
}

/**
 * Returns the outcome in words. What is refused fails when it passes all the same, because the list is wrong then, and when the
 * client did not end as it should.
 */
function outcomeOf(name, { code, output }) {
  const refused = REFUSED[name]
  const isPassed = code === 0
  if (refused === undefined) return isPassed ? 'passed' : 'failed'
  return isPassed || /CLIENT (EXITED|TIMED)/.test(output) ? 'failed' : `refused: ${refused}`
}

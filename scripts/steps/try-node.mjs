import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { findFreePorts } from './free-ports.mjs'
import { StepError, step } from './step.mjs'

const PROMPT = 'Who may sign in here?'
const LIMIT_MS = 20 * 60_000
/** A server has 30 s to hand over its runs. */
const STOP_LIMIT_MS = 40_000
const ADMIN = { ADMIN_EMAIL: 'you@example.org', ADMIN_PASSWORD: 'pick four words yourself' }

/** Variables that a copy inherits. The rest may concern this installation, or another version of Node. */
const KEPT =
  /^(toolgate_test_run|home|user|logname|lang|lc_\w+|tmpdir|node_extra_ca_certs|(npm_config_)?(https?_|no)_?proxy|npm_config_(registry|cache|userconfig|globalconfig))$/i

/** Error that a step found. `words` stand in the table. */
class TrialError extends StepError {
  constructor(message, output, words = 'FAILED') {
    super(message, output)
    this.words = words
  }
}

/**
 * Tries a version of Node on a copy of this checkout in `folder`. Returns its row of the table: words for each column,
 * whether all went well, and what Node warned of while the server ran.
 */
export async function tryNode(version, folder) {
  const started = performance.now()
  const untried = { quickstart: 'not tried', demo: 'not tried', tests: 'not tried' }
  const row = { version, ...untried, seconds: '', ok: true, warnings: [] }

  /** Does a step and notes its words. What fails is shown, and others may go on. */
  const attempt = async (column, title, work) => {
    try {
      row[column] = await step(`Node ${row.version}: ${title}`, work)
      return true
    } catch (error) {
      if (!(error instanceof TrialError)) throw error
      console.log(`\n${error.output.trim()}\n\n${error.message}\n`)
      row[column] = error.words
      row.ok = false
      return false
    }
  }

  const prefix = path.join(folder, `node-${version}`)
  const node = path.join(prefix, 'node_modules/node/bin/node')
  const cwd = path.join(folder, `copy-${version}`)
  const env = { ...environment(path.dirname(node)), PORT: String(await findFreePorts()) }
  const program = { node, cwd, env }
  if (await attempt('version', 'install it', () => installNode(program, prefix, version))) {
    copyCheckout(cwd)
    const server = startServer(program)
    if (await attempt('quickstart', 'quickstart', () => server.ready)) {
      await attempt('demo', 'demo run', () => runDemo(program))
    }
    row.warnings = await server.stop()
    await attempt('tests', 'unit tests', () => runUnitTests(program))
  }
  // A gigabyte, which the next version needs, too.
  for (const used of [cwd, prefix]) await rm(used, { recursive: true, force: true, maxRetries: 3 })
  return { ...row, seconds: String(Math.round((performance.now() - started) / 1000)) }
}

function environment(nodeFolder) {
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name))
  // npm puts the programs of this checkout before all others.
  const folders = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((each) => !each.endsWith('node_modules/.bin'))
  return { ...Object.fromEntries(kept), PATH: [nodeFolder, ...folders].join(path.delimiter) }
}

/** Installs Node from npm. A script of the package gets the program for this machine, and must be allowed to run. */
async function installNode({ node, env }, prefix, version) {
  mkdirSync(prefix)
  const allowed = { dependencies: { node: version }, allowScripts: { node: true } }
  writeFileSync(path.join(prefix, 'package.json'), JSON.stringify(allowed))
  const args = ['install', '--ignore-scripts=false']
  const { output } = await run('npm', args, { cwd: prefix, env })
  if (!existsSync(node)) {
    throw new TrialError(
      `Node ${version} could not be installed.`,
      output,
      `${version} (not installed)`,
    )
  }
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)
}

/** Copies the files that git tracks, as they are now. Tests ask git for its files, so the copy is a repository, too. */
function copyCheckout(cwd) {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' })
  const files = git('ls-files', '-z').split('\0').filter(Boolean)
  for (const file of files.filter((each) => existsSync(each))) cpSync(file, path.join(cwd, file))
  git('-C', cwd, 'init', '--quiet')
  git('-C', cwd, 'add', '--all', '--force')
}

/** Starts the copy as a person would. */
function startServer({ cwd, env }) {
  let announce
  const announced = new Promise((resolve) => {
    announce = resolve
  })
  const onOutput = (output) => {
    if (output.includes('Toolgate is ready on')) announce('ok')
  }
  const options = { cwd, env: { ...env, ...ADMIN }, onOutput }
  const { exited, stop: end } = start('npm', ['run', 'quickstart'], options)
  const limit = setTimeout(end, LIMIT_MS)
  const failed = exited.then(({ output }) => {
    throw new TrialError('The server did not get ready.', output)
  })
  /** Stops the server. Returns what Node warned of. */
  const stop = async () => {
    clearTimeout(limit)
    end()
    const { output } = await exited
    return [...output.matchAll(/^\(node:\d+\) (.*Warning: .*)$/gm)].map(([, warning]) => warning)
  }
  return { ready: Promise.race([announced, failed]), stop }
}

async function runDemo({ node, cwd, env }) {
  const args = ['run', '--configuration', 'demo', '--prompt', PROMPT, '--json']
  const { code, output } = await run(node, ['bin/toolgate', ...args], { cwd, env })
  const events = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const called = events.filter(
    ({ type, data }) => type === 'call-end' && data.outcome.type === 'ok',
  )
  const ended = events.find(({ type }) => type === 'run-end')
  if (code !== 0 || called.length === 0 || ended?.data.reason !== 'completed') {
    throw new TrialError('The run did not complete, or no call of a tool went well.', output)
  }
  return `ok, called ${called.map(({ data }) => data.name).join(', ')}`
}

async function runUnitTests({ node, cwd, env }) {
  const { code, output } = await run(node, ['scripts/steps/unit-tests.mjs'], { cwd, env })
  const words = /^\d+ passed, \d+ failed$/m.exec(output)?.[0]
  if (code === 0 && words) return words
  throw new TrialError('Unit tests failed.', output, words)
}

/** Runs a program to its end, or to the end of its time. */
async function run(file, args, options) {
  const { exited, stop } = start(file, args, options)
  const limit = setTimeout(stop, LIMIT_MS)
  return exited.finally(() => clearTimeout(limit))
}

/**
 * Starts a program in a group of its own. `onOutput` is called with all that it has written, both streams in one.
 * `exited` resolves with `{ code, output }` when nothing of the group writes any more.
 */
function start(file, args, { cwd, env, onOutput = () => undefined }) {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      onOutput(output)
    })
  }
  const stop = () => {
    endGroup(child.pid, 'SIGTERM')
    setTimeout(endGroup, STOP_LIMIT_MS, child.pid, 'SIGKILL').unref()
  }
  child.once('exit', stop)
  return { exited: once(child, 'close').then(([code]) => ({ code, output })), stop }
}

function endGroup(id, signal) {
  try {
    process.kill(-id, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

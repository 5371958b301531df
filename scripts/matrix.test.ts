import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const matrix = path.resolve('scripts/matrix.mjs')

/** Stays until it is stopped, and says who does. The folder of copies is beside that of those who started. */
const stays = `
  require('node:fs').writeFileSync('../../../../started/' + process.pid, '')
  setInterval(() => {}, 1_000)`

/** Stands in for npm: "installs" the Node that runs the tests, and a quickstart that serves nothing until it is stopped. */
const npm = `#!/usr/bin/env node
const fs = require('node:fs')
const { basename } = require('node:path')
if (process.argv[2] === 'install') {
  if (basename(process.cwd()) === 'node-missing') process.exit(1)
  fs.mkdirSync('node_modules/node/bin', { recursive: true })
  fs.symlinkSync(process.execPath, 'node_modules/node/bin/node')
} else {
  if (basename(process.cwd()) === 'copy-unready') process.exit(1)
  if (process.env.OPENAI_API_KEY || !process.env.PORT) process.exit(1)
  console.log('(node:1) OddWarning: something is odd')
  console.log('Toolgate is ready on http://localhost')
  ${stays}
}`

const call = (outcome: string) =>
  JSON.stringify({ type: 'call-end', data: { name: 'list_users', outcome: { type: outcome } } })
const end = JSON.stringify({ type: 'run-end', data: { reason: 'completed' } })

/** Tracked files of the checkout: a run that ends, and unit tests. The name of a copy names its error. */
const tracked = {
  'bin/toolgate': `
const copy = require('node:path').basename(process.cwd())
if (copy === 'copy-endless') { ${stays} }
else console.log(copy === 'copy-denied' ? '${call('denied')}\\n${end}' : '${call('ok')}\\n${end}')`,
  'scripts/steps/unit-tests.mjs': `
const failed = process.cwd().endsWith('copy-failing') ? 2 : 0
console.log('12 passed, ' + failed + ' failed')
process.exit(failed)`,
}

let folder: string
const inFolder = (...names: string[]) => path.join(folder, ...names)

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'matrix-'))
  for (const name of ['checkout/bin', 'checkout/scripts/steps', 'programs', 'started', 'tmp']) {
    mkdirSync(inFolder(name), { recursive: true })
  }
  for (const [file, text] of Object.entries(tracked))
    writeFileSync(inFolder('checkout', file), text)
  writeFileSync(inFolder('programs/npm'), npm)
  chmodSync(inFolder('programs/npm'), 0o755)
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
  ]) {
    execFileSync('git', args, { cwd: inFolder('checkout') })
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const { TOOLGATE_TEST_RUN: _mine, ...ownEnv } = process.env

const options = () => ({
  cwd: inFolder('checkout'),
  env: {
    ...ownEnv,
    PATH: [inFolder('programs'), path.dirname(process.execPath), process.env.PATH].join(':'),
    TMPDIR: inFolder('tmp'),
    OPENAI_API_KEY: 'of this installation',
  },
})

it('prints how each version of Node did, fails when one did, and leaves nothing behind', async () => {
  const versions = ['good', 'missing', 'unready', 'denied', 'failing']
  const { status, stdout } = spawnSync(process.execPath, [matrix, ...versions], {
    ...options(),
    encoding: 'utf8',
  })
  const table = stdout.slice(stdout.indexOf('  Node  '))
  const node = process.versions.node
  const rows = table
    .split('\n')
    .map((line) => line.trim().split(/ {3,}/))
    .slice(1, 1 + versions.length)
  expect(rows.map((cells) => cells.slice(0, 4))).toEqual([
    [node, 'ok', 'ok, called list_users', '12 passed, 0 failed'],
    ['missing (not installed)', 'not tried', 'not tried', 'not tried'],
    [node, 'FAILED', 'not tried', '12 passed, 0 failed'],
    [node, 'ok', 'FAILED', '12 passed, 0 failed'],
    [node, 'ok', 'ok, called list_users', '12 passed, 2 failed'],
  ])
  expect(table).toContain(`Node ${node} warned: OddWarning: something is odd`)
  expect(table.trim().split('\n').at(-1)).toBe('1 passed, 4 failed')
  expect(status).toBe(1)
  await expect.poll(() => readdirSync(inFolder('tmp'))).toEqual([])
  expect(running()).toEqual([])
})

it('tries the versions of Node that the README names', () => {
  const help = execFileSync(process.execPath, [matrix, '--help'], { encoding: 'utf8' })
  const [oldest, ...more] = /\(([\d., ]+)\)/.exec(help)?.[1]?.split(', ') ?? []
  const readme = readFileSync('README.md', 'utf8')
  expect(readme).toContain(`Node ${oldest?.replace(/\.0$/, '')} or newer`)
  for (const version of more) expect(readme).toMatch(new RegExp(`Node.*\\b${version}\\b`))
  expect(readme).toContain(`Take Node ${more.at(-1)}:`)
})

it('exits with 0 when all versions passed', () => {
  const { status } = spawnSync(process.execPath, [matrix, 'good'], options())
  expect(status).toBe(0)
})

it.each(['SIGKILL', 'SIGINT'] as const)('after %s, what it started ends, too', async (signal) => {
  const stopped = spawn(process.execPath, [matrix, 'endless'], options())
  let output = ''
  for (const stream of [stopped.stdout, stopped.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  await expect.poll(running).toHaveLength(2)
  stopped.kill(signal)
  await expect.poll(running).toEqual([])
  await expect.poll(() => readdirSync(inFolder('tmp'))).toEqual([])
  await expect
    .poll(() => stopped.exitCode ?? stopped.signalCode)
    .toBe(signal === 'SIGKILL' ? signal : 1)
  expect(output.trim().split('\n')).toHaveLength(3)
})

/** Returns the ids of the programs that stay until they are stopped, and were not yet. */
function running(): number[] {
  return readdirSync(inFolder('started')).map(Number).filter(isAlive)
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

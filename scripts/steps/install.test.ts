import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const steps = pathToFileURL(path.resolve('scripts/steps/install.mjs')).href

const lock = {
  '': {},
  'node_modules/run': { version: '1.0.0' },
  'node_modules/check': { version: '2.0.0', dev: true },
  'node_modules/other-platform': { version: '1.0.0', optional: true },
}

/** Stands in for npm: writes down how it was called, and installs what of the lock file that asks for. */
const npm = `
const fs = require('node:fs')
const args = process.argv.slice(2)
fs.appendFileSync('calls', args.join(' ') + '\\n')
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
const wanted = Object.entries(packages).filter(([at, { dev, optional }]) =>
  at !== '' && !optional && (!dev || !args.includes('--omit=dev')))
fs.mkdirSync('node_modules/run', { recursive: true })
for (const name of ['index.js', 'index.js.map']) fs.writeFileSync('node_modules/run/' + name, '')
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }))`

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'toolgate-install-'))
  writeFileSync(path.join(folder, 'npm.cjs'), npm)
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }))
  mkdirSync(path.join(folder, 'node_modules'))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Runs the step in the folder and returns how it called npm. */
function run(name: 'install' | 'installEverything') {
  writeFileSync(path.join(folder, 'calls'), '')
  const code = `import { ${name} } from ${JSON.stringify(steps)}; await ${name}()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    env: { ...process.env, npm_execpath: path.join(folder, 'npm.cjs') },
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return readFileSync(path.join(folder, 'calls'), 'utf8').split('\n').filter(Boolean)
}

const isThere = (file: string) => existsSync(path.join(folder, 'node_modules/run', file))

it('installs what running needs, once, without what nothing reads', () => {
  expect(run('install')).toEqual(['ci --omit=dev'])
  expect([isThere('index.js'), isThere('index.js.map')]).toEqual([true, false])
  expect(run('install')).toEqual([])
})

it('adds what tests need, and running needs nothing after that', () => {
  run('install')
  expect(run('installEverything')).toEqual(['install --include=dev --no-save --prefer-offline'])
  expect(run('installEverything')).toEqual([])
  expect(run('install')).toEqual([])
})

it('installs everything at once where nothing is installed', () => {
  expect(run('installEverything')).toEqual(['ci --include=dev'])
  expect(isThere('index.js.map')).toBe(true)
})

it('installs anew when the lock file asks for another version', () => {
  run('installEverything')
  const packages = { ...lock, 'node_modules/run': { version: '1.0.1' } }
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  expect(run('install')).toEqual(['ci --omit=dev'])
})

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Names of the checkout that are no sources. The rest is copied: the sources of other tests stay as they are. */
const left = new Set([
  '.data',
  '.git',
  '.next',
  'node_modules',
  'test-results',
  'tsconfig.tsbuildinfo',
])
const folder = mkdtempSync(path.join(tmpdir(), 'toolgate-add-a-noun-'))

beforeAll(() => {
  for (const name of readdirSync('.').filter((each) => !left.has(each))) {
    cpSync(name, path.join(folder, name), { recursive: true })
  }
  // Not the folder itself: the server is compiled into it.
  const packages = path.join(folder, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync('node_modules').filter((each) => each !== '@toolgate')) {
    symlinkSync(path.resolve('node_modules', name), path.join(packages, name))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program of node_modules in the copy to its end. */
function runNode(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return { status, output: stdout + stderr }
}

/** To generate code, check types and run the test of the noun takes minutes: `npm run proof`. */
const isWhole = process.env.TOOLGATE_FULL_PROOF !== undefined

const addNoun = (...names: string[]) =>
  runNode('node_modules/tsx/dist/cli.mjs', 'scripts/new-noun.ts', ...names)

/** Returns the text of each source of the copy, by its path. */
function readSources(): Map<string, string> {
  const files = ['app', 'components', 'lib', 'prisma', 'tests'].flatMap((top) =>
    readdirSync(path.join(folder, top), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(top, name))
      .filter((name) => !name.startsWith('lib/generated') && /\.(tsx?|prisma|sql)$/.test(name))
      .filter((name) => statSync(path.join(folder, name)).isFile()),
  )
  return new Map(files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

function linesOf(text = ''): number {
  return text.split('\n').length - 1
}

test.each([
  [['host'], 'exists already'],
  [['run'], 'exists already'],
  [['tool'], 'exists already'],
  [['file'], 'exists already'],
  [['Lamp'], 'is not a name'],
  [['lamp', '../lamps'], 'is not a name'],
  [['sheep', 'sheep'], 'a plural that differs'],
  [[], 'in the singular'],
])('the names %j are refused before anything is written', (names, words) => {
  const before = readSources()
  const { status, output } = addNoun(...names)
  expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining(words) })
  expect(readSources()).toEqual(before)
})

test('a new noun is a few short files', () => {
  const before = readSources()
  const { status, output } = addNoun(
    'old-desk-lamp',
    'old-desk-lamps',
    ...(isWhole ? [] : ['--sources-only']),
  )
  expect(status, output).toBe(0)
  const after = readSources()
  const changed = [...after.keys()].filter((name) => before.get(name) !== after.get(name))
  const [outside, own] = [/^(prisma|lib\/nouns\.ts|lib\/protocol)/, /desk-lamp/]
  expect(changed.filter((name) => !outside.test(name) && !own.test(name))).toEqual([])
  expect(changed.filter((name) => outside.test(name))).toHaveLength(4)
  // One of them is a line: the skeleton that its pages show while they load.
  expect(changed.filter((name) => !outside.test(name))).toHaveLength(7)
  const lines = changed.map((name) => linesOf(after.get(name)) - linesOf(before.get(name)))
  expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(180)
})

test.runIf(isWhole)('everything that knows nouns knows the new one', { timeout: 600_000 }, () => {
  const tsconfig = path.join(folder, 'tsconfig.json')
  const { include, ...others } = JSON.parse(readFileSync(tsconfig, 'utf8'))
  const sources = include.filter((name: string) => !name.startsWith('.next'))
  writeFileSync(tsconfig, JSON.stringify({ ...others, include: sources }))
  const checks = [
    runNode('node_modules/@typescript/native/bin/tsc', '--noEmit', '--incremental', 'false'),
    runNode(
      'node_modules/vitest/vitest.mjs',
      'run',
      'tests/nouns.test.ts',
      'tests/integration/old-desk-lamps.test.ts',
      'components/shell/destinations.test.ts',
      'lib/domains/data-sources/denylist.test.ts',
    ),
  ]
  for (const check of checks) expect(check.status, check.output).toBe(0)
})

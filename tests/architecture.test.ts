import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { advisoryLocks } from '@/lib/kernel/locks'
import { testsOfSeveralFiles } from './support/tests-of-several-files'

// The arrows between folders are .dependency-cruiser.cjs's; this is what a folder of source files must look like.
const SOURCE = /\.(ts|tsx|mts|mjs|cjs)$/
const NEXT_NAMES = /^(\[.+\]|next-auth\.d)$/
const MAX_LINES = 400

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((file) => SOURCE.test(file) && file !== 'tests/architecture.test.ts')
const sources = files.flatMap((file) => {
  const text = readIfThere(file)
  return text === undefined ? [] : [{ file, text }]
})

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(100)
})

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = sources.filter(({ text }) => text.split('\n').length > MAX_LINES + 1)
  expect(long.map(({ file }) => file)).toEqual([])
})

test('files are named in kebab-case', () => {
  const kebab = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/
  const odd = sources.filter(({ file }) => {
    const name = path.basename(file).replace(/\.[^.]+$/, '')
    return !kebab.test(name) && !NEXT_NAMES.test(name)
  })
  expect(odd.map(({ file }) => file)).toEqual([])
})

describe.each([
  ['an unfinished thought', /\b(TODO|FIXME|XXX)\b/],
  ['a check switched off', /@ts-(ignore|nocheck|expect-error)/],
  ['a cast to any', /\bas any\b/],
  ['a test left out or alone', /\b(test|it|describe)\.(only|skip|todo|fixme)\(/],
  ['a folder name for everything', /from '[^']*\/(utils|helpers|common|misc)'/],
  ['an import from two folders up', /^(?:import|export) [^\n]*from '\.\.\/\.\.\//m],
])('no source contains %s', (_what, pattern) => {
  test(String(pattern), () => {
    const guilty = sources.filter(({ text }) => pattern.test(text))
    expect(guilty.map(({ file }) => file)).toEqual([])
  })
})

test('no engine opens a connection to a database: it is given one', () => {
  const engines = sources.filter(({ file }) => file.startsWith('lib/engines/'))
  expect(engines.length).toBeGreaterThan(100)
  const opening = engines.filter(({ text }) => /new (?:pg\.(?:Pool|Client)|Pool)\(/.test(text))
  expect(opening.map(({ file }) => file)).toEqual([])
})

/** One tool or command each. */
const oneEach = new Set(['lib/engines/tools/builtin', 'lib/doors/cli/commands'])

test('a folder of lib has at most 30 files of its own', () => {
  const counts = new Map<string, number>()
  for (const { file } of sources) {
    const folder = path.dirname(file)
    if (file.startsWith('lib/') && !oneEach.has(folder)) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  expect(counts.get('lib/edge')).toBeGreaterThan(15)
  const full = [...counts].filter(([, files]) => files > 30)
  expect(full).toEqual([])
})

test('what a component shows of the time comes from useNow', () => {
  const beforeOrAfterRendering = [
    'app/(console)/(admin)/budgets/budget-list.tsx', // on the server alone
    'app/(console)/(admin)/models/[modelId]/prices-section.tsx', // after saving
    'app/(console)/(admin)/usage/page.tsx', // on the server alone
    'app/(console)/shell/activity-watch.tsx', // in an effect
    'app/layout.tsx', // tells useNow
    'components/ui/use-now.tsx',
  ]
  const asking = sources.filter(
    ({ file, text }) =>
      /(?<!\.test)\.tsx$/.test(file) && /\bDate\.now\(\)|\bnew Date\(\)/.test(text),
  )
  expect(asking.map(({ file }) => file)).toEqual(beforeOrAfterRendering)
})

/** Their queries ask for locks of the console, and are refused. */
const attackers = new Set([
  'lib/engines/tools/data/query-names.test.ts',
  'tests/integration/data-queries.test.ts',
])

test('advisory locks are numbered in lib/kernel/locks.ts alone, each one once', () => {
  const numbers = Object.values(advisoryLocks)
  expect(new Set(numbers).size).toBe(numbers.length)
  const registered = new RegExp(`\\b(?:${numbers.join('|')})\\b`)
  const taken = sources.filter(({ text }) => /pg_\w*advisory_\w+/.test(text))
  expect(taken.length).toBeGreaterThan(3)
  const guilty = sources.filter(
    ({ file, text }) =>
      file !== 'lib/kernel/locks.ts' &&
      !attackers.has(file) &&
      (registered.test(text.replaceAll(/(?<=\d)_(?=\d)/g, '')) ||
        /pg_\w*advisory_\w+\((?!\$1\))/.test(text) ||
        (/pg_\w*advisory_/.test(text) && !/\[\s*advisoryLocks\./.test(text))),
  )
  expect(guilty.map(({ file }) => file)).toEqual([])
})

test('a test file that mocks modules has a process of its own, by its name', () => {
  const shared = sources.filter(
    ({ file, text }) => /(?<!\.alone)\.test\.ts$/.test(file) && /\bvi\.(mock|doMock)\(/.test(text),
  )
  expect(shared.map(({ file }) => file)).toEqual([])
})

test('a test that sets the clock ahead has a process of its own, because later ids would be of that time', () => {
  const ahead = /\bsetSystemTime\(|\buseFakeTimers\(\{[^}]*\bnow: (?!Date\.now\(\))/
  const shared = sources.filter(
    ({ file, text }) =>
      file.startsWith('tests/integration/') && !file.includes('.alone.') && ahead.test(text),
  )
  expect(shared.map(({ file }) => file)).toEqual([])
})

test('a test beside the code has the name of the file that it is about, or is listed', () => {
  const names = new Set(sources.map(({ file }) => file.replace(/\.(tsx?|mts|mjs)$/, '')))
  const tests = sources.flatMap(({ file }) =>
    /^(?!tests\/).*\.test\.tsx?$/.test(file) ? file : [],
  )
  expect(tests.length).toBeGreaterThan(400)
  const unnamed = tests.filter((file) => !names.has(file.replace(/(\.alone)?\.test\.tsx?$/, '')))
  const advice = 'Name it like its file, or list it in tests/support/tests-of-several-files.ts.'
  expect(unnamed.toSorted(), advice).toEqual([...testsOfSeveralFiles].toSorted())
})

/** Returns the text of the file, or nothing when it does not exist: git may list a file that was just deleted. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

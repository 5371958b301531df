import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fencedBlocks } from './support/fenced-blocks'

/** Folders that the checks of a tool read; a copy of them, so that the sources of other tests stay as they are. */
const copied = [
  'lib',
  'scripts',
  'tests/support',
  'biome.json',
  'package.json',
  'vitest.config.mts',
  '.gitignore',
]
const blocks = fencedBlocks(readFileSync('contributing/add-a-tool.md', 'utf8'))
/** The files that the page writes: they may be there already, for a reader who followed it. */
const written = blocks.flatMap(({ text }) => /^\/\/ (\S+)$/m.exec(text)?.[1] ?? [])
const isSource = (file: string) =>
  !file.startsWith('lib/generated/prisma') && !written.includes(file)
const folder = mkdtempSync(path.join(tmpdir(), 'toolgate-add-a-tool-'))

beforeAll(() => {
  for (const name of copied)
    cpSync(name, path.join(folder, name), { recursive: true, filter: isSource })
  linkPackages(() => true)
  symlinkSync(path.resolve('package-lock.json'), path.join(folder, 'package-lock.json'))
  const tsconfig = {
    extends: path.resolve('tsconfig.json'),
    compilerOptions: { incremental: false, types: ['node'], paths: { '@/*': ['./*'] } },
    include: ['lib/engines/tools/**/*.ts', 'lib/**/*.d.ts'],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
})
afterAll(() => rmSync(folder, { recursive: true }))

type LockedPackage = { dev?: boolean }

/** Replaces the packages of the work copy by those that are `wanted`. */
function linkPackages(wanted: (entry: LockedPackage) => boolean): void {
  rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true })
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  for (const [at, entry] of Object.entries<LockedPackage>(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(at) || !wanted(entry) || !existsSync(at)) continue
    mkdirSync(path.dirname(path.join(folder, at)), { recursive: true })
    symlinkSync(path.resolve(at), path.join(folder, at))
  }
}

/** Runs a program of the work copy's node_modules to its end; its exit code, and everything that it wrote. */
function runNode(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return { status, output: stdout + stderr }
}

const runScaffold = (name: string) =>
  runNode('node_modules/tsx/dist/cli.mjs', 'scripts/new-tool.ts', name)

/** The tests of all tools together, and of the new one: another tool's own tests read nothing of it. */
const testsOfTools = [
  ...['builtin-tools', 'left-out', 'left-out-web'].map(
    (name) => `lib/engines/tools/builtin/${name}.test.ts`,
  ),
  ...written.filter((file) => file.endsWith('.test.ts')),
]

const checks = {
  format: () =>
    runNode(
      'node_modules/@biomejs/biome/bin/biome',
      'ci',
      '--error-on-warnings',
      '--vcs-enabled=false',
      'lib/engines/tools',
    ),
  index: () => runNode('scripts/generate-tool-index.mjs'),
  types: () =>
    runNode('node_modules/@typescript/native/bin/tsc', '--noEmit', '--project', 'tsconfig.json'),
  tests: () =>
    runNode('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...testsOfTools),
}

test('the page has one command and the files it names, and nothing else', () => {
  expect(blocks.map(({ language, text }) => [language, text.split('\n')[0]])).toEqual([
    ['', 'npm run tool:new count_words'],
    ['ts', '// lib/engines/tools/builtin/count-words.ts'],
    ['ts', '// lib/engines/tools/builtin/count-words.test.ts'],
  ])
})

test('followed to the letter, the page leaves every check content, before and after the tool is written', {
  timeout: 240_000,
}, () => {
  const [command, ...files] = blocks
  const name = /^npm run tool:new (\S+)$/.exec(command?.text.trim() ?? '')?.[1] ?? ''
  expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts['tool:new']).toBe(
    'tsx scripts/new-tool.ts',
  )
  // As after npm run quickstart, which installs nothing that only tests and checks need.
  linkPackages(({ dev }) => !dev)
  expect(existsSync(path.join(folder, 'node_modules/@biomejs'))).toBe(false)
  const { status, output } = runScaffold(name)
  expect({ status, output }).toMatchObject({
    status: 0,
    output: expect.stringMatching(
      /effect read, data class content[\s\S]*npm install[\s\S]*docs\/tools\.md/,
    ),
  })
  linkPackages(() => true)
  expectContent(['format', 'tests'])
  for (const { text } of files) {
    const [comment = '', ...lines] = text.split('\n')
    const file = path.join(folder, comment.replace('// ', ''))
    expect(existsSync(file)).toBe(true)
    writeFileSync(file, lines.join('\n'))
  }
  expectContent(['format', 'index', 'types', 'tests'])
  expect(
    readFileSync(path.join(folder, 'lib/engines/tools/builtin/index.generated.ts'), 'utf8'),
  ).toContain(`${name.replace(/_(\w)/, (_, letter) => letter.toUpperCase())}Tool,`)
})

function expectContent(names: (keyof typeof checks)[]): void {
  for (const name of names) {
    const { status, output } = checks[name]()
    expect(status, output).toBe(0)
  }
}

test('files that npm run tool:new writes are formatted, for a name of any length', () => {
  for (const name of ['a', 'a_very_long_name_'.repeat(4).slice(0, 64)]) {
    expect(runScaffold(name)).toMatchObject({ status: 0 })
  }
  expectContent(['format'])
})

test.each([
  ['get_env', 'lib/engines/tools/builtin/get-env.ts exists already. Choose another name.'],
  ['../../evil', '"../../evil" is not a tool name.'],
])('npm run tool:new refuses %j', (name, words) => {
  expect(runScaffold(name)).toMatchObject({ status: 1, output: expect.stringContaining(words) })
})

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
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

/** What the checks of a tool read; a work copy of it, so that the sources of other tests stay as they are. */
const copied = [
  'lib',
  'scripts',
  'tests/support',
  'biome.json',
  'package.json',
  'vitest.config.mts',
  '.gitignore',
]
const section =
  readFileSync('README.md', 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith('Add a tool\n')) ?? ''
const blocks = fencedBlocks(section)
/** The files that the README writes: they may be there already, for a reader who followed it. */
const written = blocks.flatMap(({ text }) => /^\/\/ (\S+)$/m.exec(text)?.[1] ?? [])
const isSource = (file: string) => !file.startsWith('lib/generated') && !written.includes(file)
const folder = mkdtempSync(path.join(tmpdir(), 'toolgate-add-a-tool-'))

beforeAll(() => {
  for (const name of copied)
    cpSync(name, path.join(folder, name), { recursive: true, filter: isSource })
  for (const name of ['node_modules', 'package-lock.json'])
    symlinkSync(path.resolve(name), path.join(folder, name))
  const tsconfig = {
    extends: path.resolve('tsconfig.json'),
    compilerOptions: { incremental: false, types: ['node'], paths: { '@/*': ['./*'] } },
    include: ['lib/engines/tools/**/*.ts'],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
})
afterAll(() => rmSync(folder, { recursive: true }))

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
    runNode(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'unit',
      'lib/engines/tools/builtin',
    ),
}

test('the README has one command and the files it names, and nothing else', () => {
  expect(blocks.map(({ language, text }) => [language, text.split('\n')[0]])).toEqual([
    ['', 'npm run tool:new count_words'],
    ['ts', '// lib/engines/tools/builtin/count-words.ts'],
    ['ts', '// lib/engines/tools/builtin/count-words.test.ts'],
  ])
})

test('followed to the letter, the README leaves every check content, before and after the tool is written', () => {
  const [command, ...files] = blocks
  const name = /^npm run tool:new (\S+)$/.exec(command?.text.trim() ?? '')?.[1] ?? ''
  expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts['tool:new']).toBe(
    'tsx scripts/new-tool.ts',
  )
  expect(runScaffold(name)).toMatchObject({
    status: 0,
    output: expect.stringContaining('npm run quickstart'),
  })
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

test.each([
  ['get_env', 'lib/engines/tools/builtin/get-env.ts exists already. Choose another name.'],
  ['../../evil', '"../../evil" is not a tool name.'],
])('npm run tool:new refuses %j', (name, words) => {
  expect(runScaffold(name)).toMatchObject({ status: 1, output: expect.stringContaining(words) })
})

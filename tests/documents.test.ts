import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { knownPrograms } from '@/lib/domains/programs/shared/known-programs'
import { parameterDescriptors } from '@/lib/protocol/parameters/parameters'
import packageJson from '@/package.json'

// tests/integration/document-examples.test.ts runs the examples and the commands. This is about names: what a document
// names exists, and what every document of its kind must name is there.
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .trim()
  .split('\n')
const paths = new Set(files.flatMap((file) => [file, ...foldersOf(file)]))
const documents = files.filter((file) => file.endsWith('.md')).map(readDocument)

test('the page of programs has a row for each shipped one', () => {
  const [, table = ''] = readFileSync('docs/programs.md', 'utf8').split('## Shipped programs')
  for (const { name } of knownPrograms) expect(table).toMatch(new RegExp(`^\\| .*\`${name}\``, 'm'))
})

test('links lead to files and headings that exist', () => {
  const links = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map((link) => {
      const target = link[1] ? path.join(path.dirname(file), link[1]) : file
      return { file, target, heading: link[2] }
    }),
  )
  expect(links.length).toBeGreaterThan(100)
  const broken = links.filter(
    ({ target, heading }) => !paths.has(target) || (heading && !headingsOf(target).has(heading)),
  )
  expect(broken).toEqual([])
})

test('no document has two versions of a passage, as a merge leaves them', () => {
  const unfinished = documents.filter(({ text }) => /^(<{7}|={7}|>{7})( |$)/m.test(text))
  expect(unfinished.map(({ file }) => file)).toEqual([])
})

test('files and npm scripts that documents name exist', () => {
  const current = documents.filter(({ text }) => !/^Replaced by /m.test(text))
  const named = current.flatMap(({ file, text }) => namesIn(text).map((name) => ({ file, name })))
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter(({ name }) => !exists(name))).toEqual([])
})

test('decisions are numbered without a gap', () => {
  const numbers = files.flatMap((file) => /^docs\/decisions\/(\d{3})-/.exec(file)?.[1] ?? [])
  expect(numbers.toSorted()).toEqual(numbers.map((_, at) => String(at + 1).padStart(3, '0')))
})

test('documents write the command line as it can be typed in the folder of the repository', () => {
  expect(paths.has('bin/toolgate')).toBe(true)
  const forReaders = documents.filter(({ file }) => /^(docs\/)?[^/]+\.md$/.test(file))
  const current = forReaders.filter(({ file }) => file !== 'CHANGELOG.md')
  const commands = current.flatMap(({ file, text }) =>
    [...text.matchAll(/(\S*)\btoolgate (?=[a-zA-Z…])/g)].map(([, before]) => ({ file, before })),
  )
  expect(commands.length).toBeGreaterThan(60)
  expect(commands.filter(({ before }) => !/^[`(]*bin\/$/.test(before ?? ''))).toEqual([])
})

test('the documents name each parameter of a configuration, as people and programs do', () => {
  const api = readFileSync('docs/api.md', 'utf8')
  const people = readFileSync('docs/configurations.md', 'utf8').replace(/\s+/g, ' ').toLowerCase()
  const missing = parameterDescriptors.flatMap(({ key, label }) => [
    ...(api.includes(`\`${key}\``) ? [] : [`docs/api.md lacks \`${key}\``]),
    ...(people.includes(label.toLowerCase()) ? [] : [`docs/configurations.md lacks ${label}`]),
  ])
  expect(missing).toEqual([])
})

function foldersOf(file: string): string[] {
  const parts = file.split('/')
  return parts.map((_, at) => parts.slice(0, at).join('/'))
}

function readDocument(file: string): { file: string; text: string } {
  return { file, text: readFileSync(file, 'utf8') }
}

/** Returns the anchors of a document's headings, as GitHub makes them. */
function headingsOf(file: string): Set<string> {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)
  return new Set([...headings].map(([, text = '']) => anchorOf(text)))
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Returns the paths below our folders, the names of source files and the npm scripts in a text; in blocks of code, the
 * source files with their paths.
 */
function namesIn(text: string): string[] {
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
  const blocks = [...text.matchAll(/^```[\s\S]*?^```/gm)].join('\n')
  const drawn = blocks.match(
    /(?<![\w/.])(?:app|components|lib|scripts|tests)\/\S+\.(?:tsx?|mjs)\b/g,
  )
  const code = [...inline, ...(drawn ?? [])].map((name) => name.replace(/[./]$/, ''))
  const named = code.filter((name) => /^[\w./()[\]*<>-]+$/.test(name) && !/NAME|[*<]/.test(name))
  const scripts = [...text.matchAll(/npm run [\w:-]+/g)].map(String)
  return [...named.filter(isPath), ...scripts]
}

function isPath(name: string): boolean {
  const isBelow = /^(app|bin|components|docs|lib|prisma|public|scripts|tests)\//.test(name)
  return isBelow || /^[\w-]+\.(ts|tsx|mts|mjs|cjs)$/.test(name)
}

/** Files that the README tells its reader to write. */
const written = /^lib\/engines\/tools\/builtin\/count-words(\.test)?\.ts$/

function exists(name: string): boolean {
  if (written.test(name)) return true
  if (name.startsWith('npm run ')) return name.slice('npm run '.length) in packageJson.scripts
  return paths.has(name) || files.some((file) => file.endsWith(`/${name}`))
}

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
const thisFile = 'tests/documents.test.ts'
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
  const named = current.flatMap(({ file, text }) =>
    namesIn(text).map((name) => ({ file, name: fromRoot(name, file) })),
  )
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter(({ name }) => !exists(name))).toEqual([])
})

test('docs/README.md lists every page of docs', () => {
  const index = readFileSync('docs/README.md', 'utf8')
  const pages = files.flatMap((file) => /^docs\/([^/]+\.md)$/.exec(file)?.[1] ?? [])
  const missing = pages.filter((page) => page !== 'README.md' && !index.includes(`](${page})`))
  expect(missing).toEqual([])
})

test('CONTRIBUTING.md lists every page of contributing, of 4 KB at most', () => {
  const index = readFileSync('CONTRIBUTING.md', 'utf8')
  const pages = files.filter((file) => file.startsWith('contributing/'))
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([])
  expect(pages.filter((page) => readFileSync(page).length > 4096)).toEqual([])
})

test('names of code that the guide for contributors uses exist', () => {
  const isSource = (file: string) => /\.(tsx?|mts|mjs|prisma)$/.test(file) && file !== thisFile
  const words = new Set(
    files.filter(isSource).flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []),
  )
  const guide = documents.filter(({ file }) => /^contributing\/|^CONTRIBUTING/i.test(file))
  const named = guide.flatMap(({ file, text }) =>
    [...text.matchAll(/`([A-Za-z]\w+)(?:\([^`\n]*)?`/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ name }) => !words.has(name))).toEqual([])
})

test('names of code are in the file that the guide for contributors names beside them', () => {
  const guide = documents.filter(({ file }) => /^contributing\/|^CONTRIBUTING/i.test(file))
  const named = guide.flatMap(({ file, text }) =>
    [...text.replace(/\s+/g, ' ').matchAll(nameBesideFile)].flatMap(([, names = '', source = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ file, name, source })),
    ),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ name, source }) => !isInCode(name, source))).toEqual([])
})

test('decisions are numbered without a gap', () => {
  const numbers = files.flatMap((file) => /^docs\/decisions\/(\d{3})-/.exec(file)?.[1] ?? [])
  expect(numbers.toSorted()).toEqual(numbers.map((_, at) => String(at + 1).padStart(3, '0')))
})

test('documents write the command line as it can be typed in the folder of the repository', () => {
  expect(paths.has('bin/toolgate')).toBe(true)
  const forReaders = documents.filter(({ file }) =>
    /^((docs|contributing)\/)?[^/]+\.md$/.test(file),
  )
  const current = forReaders.filter(({ file }) => file !== 'CHANGELOG.md')
  const commands = current.flatMap(({ file, text }) =>
    [...text.matchAll(/(\S*)\btoolgate (?=[a-zA-Z…])/g)].map(([, before]) => ({ file, before })),
  )
  expect(commands.length).toBeGreaterThan(60)
  expect(commands.filter(({ before }) => !/^[`(]*bin\/$/.test(before ?? ''))).toEqual([])
})

test('the documents name each parameter of a configuration, as people and programs do', () => {
  const page = readFileSync('docs/configurations.md', 'utf8')
  const [, programs = ''] = page.split('## Change one over HTTP')
  const people = page.replace(/\s+/g, ' ').toLowerCase()
  const missing = parameterDescriptors.flatMap(({ key, label }) => [
    ...(programs.includes(`\`${key}\``) ? [] : [key]),
    ...(people.includes(label.toLowerCase()) ? [] : [label]),
  ])
  expect(missing).toEqual([])
})

test('docs/rules.md has each rule that code, tests and documents cite', () => {
  const rules = readFileSync('docs/rules.md', 'utf8')
  const numbers = [...rules.matchAll(/\*\*([A-Z](?:-[A-Z]|\d+[a-d]?))\*\*|^## ([A-Z]):/gm)]
  const known = new Set(numbers.map(([, number, letter]) => number ?? letter))
  const cited = files.filter(citesRules).flatMap(citationsIn)
  expect(cited.length).toBeGreaterThan(500)
  expect(cited.filter(({ rule }) => !known.has(rule))).toEqual([])
})

/** Sources, schemas and documents of ours; docs/rules.md says what a citation looks like. */
function citesRules(file: string): boolean {
  return /\.(tsx?|mts|mjs|cjs|prisma|sql|md)$/.test(file) && !/test-suite|^docs\/rules/.test(file)
}

/** Returns the rules that a file cites as `SPEC R6, G-A`, also over the lines of a comment, or as `R6: …` in a title. */
function citationsIn(file: string): { file: string; rule: string }[] {
  const text = readFileSync(file, 'utf8').replace(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' ')
  const number = /[A-Z](?:-[A-Z]|\d+[a-d]?)?(?!\w)/.source
  const list = `${number}(?:(?:[,;] | and |, and |-)${number})*`
  const inComments = text.matchAll(new RegExp(`\\bSPEC (${list}|[\\w-]+)`, 'g'))
  const inTitles = text.matchAll(new RegExp(`\\((['"\`])(?:SPEC )?(${list}): `, 'g'))
  const lists = [...inComments].map(([, rules = '']) => rules)
  if (/\.(test|spec)\.tsx?$/.test(file))
    lists.push(...[...inTitles].map(([, , rules = '']) => rules))
  return lists
    .flatMap((rules) => rules.split(/[,;]? and |[,;] |(?<=\d[a-d]?)-/))
    .map((rule) => ({ file, rule }))
}

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
 * Returns the paths below our folders, the names and ends of paths of source files, and the npm scripts in a text; in
 * blocks of code, the paths below our folders.
 */
function namesIn(text: string): string[] {
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
  const blocks = [...text.matchAll(/^```[\s\S]*?^```/gm)].join('\n')
  const drawn = blocks.match(/(?<![\w/.])(?:app|components|lib|scripts|tests)\/[\w./()[\]-]+/g)
  const code = [...inline, ...(drawn ?? [])].map((name) => name.replace(/[./]$/, ''))
  const named = code.filter((name) => /^[\w./()[\]*<>-]+$/.test(name) && !/NAME|[*<]/.test(name))
  const scripts = [...text.matchAll(/npm run [\w:-]+/g)].map(String)
  return [...named.filter(isPath), ...scripts]
}

/** Returns a name that is relative to its document (`../router.ts`) from the root of the repository. */
function fromRoot(name: string, document: string): string {
  return /^\.{1,2}\//.test(name) ? path.join(path.dirname(document), name) : name
}

const isBelowOurs =
  /^(app|bin|components|contributing|docs|lib|prisma|public|scripts|tests|tools)\//

function isPath(name: string): boolean {
  return isBelowOurs.test(name) || /^(?!\/)[\w./-]+\.(ts|tsx|mts|mjs|cjs)$/.test(name)
}

/** Matches "`a` and `b` of `lib/c.ts`": the names, and the file. */
const nameBesideFile =
  /((?:`[A-Za-z]\w+`(?:, | and )?)+) (?:in |of |from |\()`([\w./()[\]-]+\.(?:tsx?|mts|mjs|prisma))`/g

/** Returns whether the code of a file, without comments, text and paths, has a name. A file may be the end of its path. */
function isInCode(name: string, source: string): boolean {
  const found = files.filter((file) => file === source || file.endsWith(`/${source}`))
  return found.some((file) => {
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*$|'[^'\n]*'/gm, '')
    return new RegExp(`\\b${name}\\b`).test(code)
  })
}

/** Files that contributing/add-a-tool.md tells its reader to write. */
const written = /^lib\/engines\/tools\/builtin\/count-words(\.test)?\.ts$/

function exists(name: string): boolean {
  if (written.test(name)) return true
  if (name.startsWith('npm run ')) return name.slice('npm run '.length) in packageJson.scripts
  if (paths.has(name)) return true
  // A name below no folder of ours is the end of a path, as `policy/subject.ts` is.
  return !isBelowOurs.test(name) && files.some((file) => file.endsWith(`/${name}`))
}

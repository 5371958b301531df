// npm run noun:new NAME [PLURAL]: writes a noun to fill in: table, shape, operations, pages and its test. With --sources-only,
// generated code and references stay as they are.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ApiScope } from '@/lib/protocol/api-scope'
import { describedNouns, everyNoun } from '@/lib/protocol/nouns'
import { kindsInPalette } from '@/lib/protocol/palette'
import {
  migrationText,
  modelText,
  type Names,
  namesEntry,
  namesOf,
  ownFiles,
} from './noun/noun-files'
import { runSteps, StepError } from './steps/step.mjs'

const namesFile = 'lib/protocol/nouns.ts'
const listFile = 'lib/nouns.ts'
const schemaFile = 'prisma/schema.prisma'
/** Tests that write documents in which every noun stands. */
const references = ['api-reference', 'cli-reference', 'verbs'].map(
  (name) => `tests/${name}.test.ts`,
)

const { values, positionals } = parseArgs({
  options: { 'sources-only': { type: 'boolean', default: false } },
  allowPositionals: true,
})
await runSteps(async () => addNoun(positionals[0] ?? '', positionals[1]))

function addNoun(noun: string, plural = `${noun}s`): void {
  requireFree(noun, plural)
  const names = namesOf(noun, plural)
  const files = { ...ownFiles(names), ...changedFiles(names) }
  const existing = Object.keys(ownFiles(names)).find((file) => existsSync(file))
  if (existing) throw new StepError(`${existing} exists already. Choose another name.`)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const sources = Object.keys(files).filter((file) => /\.tsx?$/.test(file))
  run('node_modules/.bin/biome', ['check', '--write', ...sources])
  if (values['sources-only']) return
  run('npm', ['run', 'generate'])
  run('node_modules/.bin/vitest', ['run', '-u', ...references])
  console.log(nextSteps(names))
}

/** Refuses names that exist, or that no code can have, before anything is written. */
function requireFree(noun: string, plural: string): void {
  if (noun === '') throw new StepError('Name the noun in the singular: npm run noun:new mail-box')
  for (const name of [noun, plural]) {
    if (/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name) && name.length <= 40) continue
    throw new StepError(
      `"${name}" is not a name. Use lower-case words joined by single hyphens, at most 40 characters, such as mail-box.`,
    )
  }
  if (noun === plural)
    throw new StepError('Give a plural that differs: npm run noun:new sheep flocks')
  const { key, model, variable } = namesOf(noun, plural)
  const hasScope = ApiScope.options.some((scope) =>
    [noun, plural].some((name) => scope.startsWith(`${name}:`)),
  )
  const files = [noun, plural].flatMap((name) => [
    `lib/doors/api/nouns/${name}.ts`,
    `lib/doors/cli/commands/${name}.ts`,
    `app/(console)/${name}`,
    `app/(console)/(admin)/${name}`,
  ])
  const isTaken =
    hasScope ||
    files.some((file) => existsSync(file)) ||
    everyNoun.some((each) =>
      [each.noun, each.nouns].some((name) => name === noun || name === plural),
    ) ||
    Object.hasOwn(describedNouns, key) ||
    Object.hasOwn(kindsInPalette, noun) ||
    new RegExp(`^(model|enum) ${model} `, 'm').test(readFileSync(schemaFile, 'utf8'))
  if (isTaken) throw new StepError(`A noun or table with this name exists already: ${variable}.`)
}

function changedFiles(names: Names): Record<string, string> {
  const { key, variable, nouns, table } = names
  const entry = `  ${key}: noun(${key}, async () => (await import('@/lib/domains/${nouns}/verbs')).${variable}Verbs),\n`
  const imported = `import { ${key} } from '@/lib/domains/${nouns}/shape'\n`
  const schema = readFileSync(schemaFile, 'utf8')
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  return {
    [namesFile]: before(
      namesFile,
      '} as const satisfies Record<string, NounNames>',
      namesEntry(names),
    ),
    [listFile]: before(listFile, '} satisfies {', entry).replace(
      "import 'server-only'\n",
      `import 'server-only'\n${imported}`,
    ),
    [schemaFile]: `${schema.trimEnd()}\n${modelText(names)}`,
    [`prisma/migrations/${time}_${table}.sql`]: migrationText(names),
  }
}

/** Returns the text of a file with a part before the one place where this stands. */
function before(file: string, place: string, part: string): string {
  const text = readFileSync(file, 'utf8')
  const [first, rest, ...others] = text.split(place)
  if (first === undefined || rest === undefined || others.length > 0) {
    throw new StepError(`${file} has changed: add the noun by hand (contributing/add-a-noun.md).`)
  }
  return `${first}${part}${place}${rest}`
}

function run(program: string, args: string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return
  const why = error ? String(error) : `${stdout}${stderr}`
  throw new StepError(`${program} ${args[0]} failed. Are all packages installed (npm ci)?`, why)
}

function nextSteps({ nouns, variable }: Names): string {
  return `Wrote lib/domains/${nouns}, its pages, a migration and tests/integration/${nouns}.test.ts.

Next:
  1. Edit lib/domains/${nouns}/shape.ts: its fields. Each new column stands in prisma/schema.prisma and in the migration, too.
  2. Edit the words of its pages in app/(console)/(admin)/resources/${nouns}, and say in lib/protocol/nouns.ts what its scopes allow.
  3. Test it: npx vitest run --project integration tests/integration/${nouns}.test.ts
  4. After each change of its fields or words, renew the references: npx vitest run -u ${references.join(' ')}
     Name it in docs/site-file.md and CHANGELOG.md, and show a page of it to the browser tests (contributing/add-a-page.md).
  contributing/add-a-noun.md says what else ${variable}Verbs can do.`
}

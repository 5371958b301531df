// npm run house: prints figures of the code: its size, its small files, and the length of a prompt's path through it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { z } from 'zod'
import { beginsLikeQuestion, listComments } from '@/tools/words/list-comments'
import { readDrawnPath } from './drawn-path'
import { findRestatements, linesOfNoun, nounsOf, resourceFields } from './house-nouns'
import { readImportGraph } from './import-graph'
import { countSpreadLiterals } from './spread-literals'

/** Folders whose files stand alone by design: one tool, wire, page or migration each. */
const oneEach =
  /^lib\/engines\/tools\/builtin\/|^lib\/engines\/providers\/(?:anthropic|bedrock|chat-completions|demo|gemini|ollama|openai)\/|\/(page|layout|route|loading|error|not-found|forbidden|template|default)\.tsx?$|^prisma\/|^(?:scripts|tools)\//
const ofTests = /\.test\.tsx?$|^tests\//
const smallLines = 30

const { texts, importsOf } = readImportGraph()
const tracked = [...texts.keys()]
const sources = tracked.filter((file) => !ofTests.test(file))

const linesOf = (file: string) => (texts.get(file) ?? '').split('\n').length - 1

function percentile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function loaded(entry: string): Promise<number> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs).length
}

function naming(word: string): number {
  const whole = new RegExp(`\\b${word}\\b`)
  return sources.filter((file) => whole.test(texts.get(file) ?? '')).length
}

const section = (file: string) => /^app\/\(console\)\/(?:\(\w+\)\/)?([a-z-]+)\//.exec(file)?.[1]
const importers = new Map<string, number>()
for (const file of sources) {
  for (const to of importsOf(file)) importers.set(to, (importers.get(to) ?? 0) + 1)
}
const once = sources.filter((file) => importers.get(file) === 1 && !oneEach.test(file))
const crumbs = once.filter((file) => linesOf(file) <= smallLines)
const strangers = sources.flatMap((file) =>
  importsOf(file).filter((to) => {
    const [from, into] = [section(file), section(to)]
    return from !== undefined && into !== undefined && from !== into
  }),
)
/** Counts the stations of a prompt's path, which tests/walk.test.ts derives from the imports. */
const { toModel, toTool, back } = readDrawnPath(readFileSync('ARCHITECTURE.md', 'utf8'))
const down = (toTool.length > toModel.length ? toTool : toModel).map(({ file }) => file)
const up = back.map(({ file }) => file)

const BiomeReport = z.object({
  diagnostics: z.array(z.object({ location: z.object({ path: z.string() }) })),
})

/** Counts functions over the limit of biome.json, where the rule is off. */
function longFunctions(): number {
  const { stdout } = spawnSync(
    'node_modules/.bin/biome',
    [
      'lint',
      '--only=complexity/noExcessiveLinesPerFunction',
      '--max-diagnostics=none',
      '--reporter=json',
      'app',
      'components',
      'lib',
      'scripts',
      'tools',
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  const { diagnostics } = BiomeReport.parse(JSON.parse(stdout))
  return diagnostics.filter(({ location }) => !ofTests.test(location.path)).length
}
const inFolder = new Map<string, number>()
for (const file of tracked) {
  const folder = path.dirname(file)
  inFolder.set(folder, (inFolder.get(folder) ?? 0) + 1)
}
const full = [...inFolder].filter(
  ([folder, files]) =>
    folder.startsWith('lib/') && !/(builtin|commands)$/.test(folder) && files > 30,
)

/** Counts matches of a pattern in all files, tests included. */
function matching(pattern: RegExp): number {
  return tracked.reduce(
    (total, file) => total + (texts.get(file) ?? '').split(pattern).length - 1,
    0,
  )
}
const riddles = tracked
  .flatMap((file) => listComments(texts.get(file) ?? ''))
  .filter((text) => beginsLikeQuestion.test(text))
const spreadLiterals = tracked.reduce(
  (total, file) => total + countSpreadLiterals(file, texts.get(file) ?? ''),
  0,
)
const kilobytes = (file: string) => `${Math.round(readFileSync(file).length / 1000)} KB`

const all = tracked.map(linesOf)
const own = sources.map(linesOf)
const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0)
const figures: [what: string, figure: string][] = [
  ['files, tests included', String(tracked.length)],
  ['lines, tests included', sum(all).toLocaleString('en')],
  ['files without tests', String(sources.length)],
  ['lines without tests', sum(own).toLocaleString('en')],
  [
    'median and 90th percentile of a file, in lines',
    `${percentile(own, 0.5)} and ${percentile(own, 0.9)}`,
  ],
  ['folders of lib with more than 30 files', String(full.length)],
  ['functions over 80 lines', String(longFunctions())],
  ['files imported once', String(once.length)],
  [`of these with at most ${smallLines} lines`, String(crumbs.length)],
  ['stations of a prompt on its way down', String(down.length)],
  ['stations on the way back up', String(up.length)],
  ['files that the loop in memory loads', String(await loaded('lib/engines/runtime/run-agent.ts'))],
  ['files that name topP', String(naming('topP'))],
  ['files that name trustZone', String(naming('trustZone'))],
  ['imports between sections of app/(console)', String(strangers.length)],
  ['comments that begin like a question', String(riddles.length)],
  ['values named asked', String(matching(/\basked\b(?=[,)}\]:]|\.\w| [=}])/))],
  ['literals spread into another one', String(spreadLiterals)],
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'docs/api.md'].map(
    (file): [string, string] => [file, kilobytes(file)],
  ),
]
for (const [what, figure] of figures) console.log(`${figure.padStart(12)}  ${what}`)
console.log('\nLines of each noun, tests left out:')
for (const noun of nounsOf(texts)) {
  const parts = linesOfNoun(noun, texts)
  const words = parts.map(([part, lines]) => `${part} ${lines}`).join(', ')
  console.log(
    `${String(sum(parts.map(([, lines]) => lines))).padStart(12)}  ${noun.nouns}: ${words}`,
  )
}
const restated = findRestatements(texts, await resourceFields(texts))
for (const file of restated) {
  console.error(`\n${file} lists the fields of its noun again. Make them of its shape instead.`)
}
if (restated.length > 0) process.exitCode = 1
if (process.argv.includes('--list')) {
  console.log(
    `\nDown:\n  ${down.join('\n  ')}\nUp:\n  ${up.join('\n  ')}\nSmall:\n  ${crumbs.join('\n  ')}\nBetween sections:\n  ${strangers.join('\n  ')}`,
  )
}

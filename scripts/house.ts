// npm run house: the figures of the code as a house: how large it is, how scattered, and how far a prompt walks in it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ModuleItem, parseSync } from '@swc/core'
import { build } from 'esbuild'

/** Folders whose files stand alone by design: one gate, tool, wire, page or migration each. */
const oneEach =
  /^lib\/engines\/runtime\/policy\/|^lib\/engines\/tools\/builtin\/|^lib\/engines\/providers\/[a-z-]+\.ts$|\/(page|layout|route|loading|error|not-found|forbidden|template|default)\.tsx?$|^prisma\/|^scripts\//
const notOurs = /^lib\/generated\/|\.d\.ts$/
const ofTests = /\.test\.tsx?$|^tests\//
const smallLines = 30

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((file) => /\.(ts|tsx|mts|mjs|cjs)$/.test(file) && !notOurs.test(file) && existsSync(file))
const texts = new Map(tracked.map((file) => [file, readFileSync(file, 'utf8')]))
const sources = tracked.filter((file) => !ofTests.test(file))
const importsOf = new Map(tracked.map((file) => [file, importsIn(file)]))

/** The project's own files that a file imports, types included. */
function importsIn(file: string): string[] {
  const isTs = /\.m?tsx?$/.test(file)
  const { body } = parseSync(texts.get(file) ?? '', {
    syntax: isTs ? 'typescript' : 'ecmascript',
    tsx: file.endsWith('.tsx'),
    target: 'es2022',
  })
  const found = body.flatMap((item) => specifierOf(item) ?? [])
  return [...new Set(found.flatMap((specifier) => resolved(file, specifier) ?? []))]
}

function specifierOf(item: ModuleItem): string | null {
  switch (item.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return item.source.value
    case 'ExportNamedDeclaration':
      return item.source?.value ?? null
    default:
      return null
  }
}

function resolved(from: string, specifier: string): string | null {
  const base = specifier.startsWith('@/')
    ? specifier.slice(2)
    : specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(from), specifier)
      : null
  if (base === null) return null
  const endings = ['', '.ts', '.tsx', '.mts', '.mjs', '/index.ts', '/index.tsx']
  return endings.map((ending) => base + ending).find((file) => texts.has(file)) ?? null
}

const linesOf = (file: string) => (texts.get(file) ?? '').split('\n').length - 1

function percentile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The shortest way by imports in either direction, both ends included; one step where a value is handed over instead. */
function way(from: string, to: string): string[] {
  const there = wayDown(from, to)
  const back = wayDown(to, from)?.toReversed()
  const [shortest = [from, to]] = [there, back]
    .flatMap((steps) => (steps ? [steps] : []))
    .toSorted((x, y) => x.length - y.length)
  return shortest
}

function wayDown(from: string, to: string): string[] | null {
  const before = new Map<string, string | null>([[from, null]])
  for (const file of before.keys()) {
    if (file === to) break
    for (const next of importsOf.get(file) ?? []) if (!before.has(next)) before.set(next, file)
  }
  if (!before.has(to)) return null
  const steps: string[] = []
  for (let at: string | null = to; at !== null; at = before.get(at) ?? null) steps.unshift(at)
  return steps
}

function stations(stops: readonly string[]): string[] {
  for (const stop of stops) if (!texts.has(stop)) throw new Error(`There is no ${stop}.`)
  const walked = stops.slice(1).flatMap((stop, index) => way(stops[index] ?? '', stop).slice(1))
  return [stops[0] ?? '', ...walked]
}

/** The walk of one prompt: down to the provider, and back up to the page. */
const walkDown = [
  'app/(console)/playground/prompt-box.tsx',
  'app/(console)/playground/actions.ts',
  'lib/runs/start-run.ts',
  'lib/runs/engine/open-engine.ts',
  'lib/runs/advance-run.ts',
  'lib/engines/runtime/advance.ts',
  'lib/engines/runtime/model-turn.ts',
  'lib/engines/providers/openai.ts',
]
const walkUp = [
  'lib/runs/journal/append-run-events.ts',
  'lib/runs/journal/watch-run.ts',
  'app/api/runs/[runId]/events/route.ts',
  'components/trace/use-run-events.ts',
  'lib/protocol/fold-run.ts',
  'components/trace/trace.tsx',
]

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
  for (const to of importsOf.get(file) ?? []) importers.set(to, (importers.get(to) ?? 0) + 1)
}
const once = sources.filter((file) => importers.get(file) === 1 && !oneEach.test(file))
const crumbs = once.filter((file) => linesOf(file) <= smallLines)
const strangers = sources.flatMap((file) =>
  (importsOf.get(file) ?? []).filter((to) => {
    const [from, into] = [section(file), section(to)]
    return from !== undefined && into !== undefined && from !== into
  }),
)
const down = stations(walkDown)
const up = stations(walkUp)

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
  ['files imported once', String(once.length)],
  [`of these with at most ${smallLines} lines`, String(crumbs.length)],
  ['stations of a prompt on its way down', String(down.length)],
  ['stations on the way back up', String(up.length)],
  ['files that the loop in memory loads', String(await loaded('lib/engines/runtime/run-agent.ts'))],
  ['files that name topP', String(naming('topP'))],
  ['files that name trustZone', String(naming('trustZone'))],
  ['imports between sections of app/(console)', String(strangers.length)],
]
for (const [what, figure] of figures) console.log(`${figure.padStart(12)}  ${what}`)
if (process.argv.includes('--list')) {
  console.log(
    `\nDown:\n  ${down.join('\n  ')}\nUp:\n  ${up.join('\n  ')}\nSmall:\n  ${crumbs.join('\n  ')}\nBetween sections:\n  ${strangers.join('\n  ')}`,
  )
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ModuleItem, parseSync } from '@swc/core'

/** The files of the project, and which of its own files each imports, types included. */
export type ImportGraph = {
  /** The text of each source file, by its path. */
  texts: ReadonlyMap<string, string>
  importsOf: (file: string) => readonly string[]
}

const isSource = /\.(ts|tsx|mts|mjs|cjs)$/
const notOurs = /^lib\/generated\/|\.d\.m?ts$/
/** The generated file that imports the tools. It is not in git, but on the path of a prompt. */
const toolIndex = 'lib/engines/tools/builtin/index.generated.ts'

/** Reads the files that git lists. Imports are parsed when they are needed. */
export function readImportGraph(): ImportGraph {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
    .toString()
    .split('\n')
    .concat(toolIndex)
    .filter((file) => isSource.test(file) && !notOurs.test(file) && existsSync(file))
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const known = new Map<string, readonly string[]>()
  const importsOf = (file: string): readonly string[] => {
    const found = known.get(file) ?? importsIn(file, texts)
    known.set(file, found)
    return found
  }
  return { texts, importsOf }
}

/** Returns the files from `from` to `to`, each importing the next, both included; null = there is no such way. */
export function wayOfImports(
  { importsOf }: ImportGraph,
  from: string,
  to: string,
): string[] | null {
  const before = new Map<string, string | null>([[from, null]])
  for (const file of before.keys()) {
    if (file === to) break
    for (const next of importsOf(file)) if (!before.has(next)) before.set(next, file)
  }
  if (!before.has(to)) return null
  const steps: string[] = []
  for (let at: string | null = to; at !== null; at = before.get(at) ?? null) steps.unshift(at)
  return steps
}

function importsIn(file: string, texts: ReadonlyMap<string, string>): string[] {
  const { body } = parseSync(texts.get(file) ?? '', {
    syntax: /\.m?tsx?$/.test(file) ? 'typescript' : 'ecmascript',
    tsx: file.endsWith('.tsx'),
    target: 'es2022',
  })
  const found = body.flatMap((item) => specifierOf(item) ?? [])
  return [...new Set(found.flatMap((specifier) => resolved(file, specifier, texts) ?? []))]
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

/** Returns the path that a specifier names by tsconfig.json; null when it names a package. */
function ourPath(specifier: string): string | null {
  if (specifier.startsWith('@/')) return specifier.slice(2)
  const server = '@toolgate/server/'
  return specifier.startsWith(server) ? `lib/${specifier.slice(server.length)}` : null
}

function resolved(
  from: string,
  specifier: string,
  texts: ReadonlyMap<string, string>,
): string | null {
  const base = specifier.startsWith('.')
    ? path.posix.join(path.posix.dirname(from), specifier)
    : ourPath(specifier)
  if (base === null) return null
  const endings = ['', '.ts', '.tsx', '.mts', '.mjs', '/index.ts', '/index.tsx']
  return endings.map((ending) => base + ending).find((file) => texts.has(file)) ?? null
}

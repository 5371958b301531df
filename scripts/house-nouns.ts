import path from 'node:path'
import { parseSync } from '@swc/core'
import type { AnyResource } from '@/lib/shape/resource'

type Texts = ReadonlyMap<string, string>

/** A noun of the product: its folder below `lib/domains`, and its name in the singular, as files are named after it. */
type Noun = { nouns: string; noun: string }

const ofTests = /\.test\.tsx?$|^tests\//

/** Returns the nouns that have a folder below `lib/domains`, with files that people see: pages, API or commands. */
export function nounsOf(texts: Texts): Noun[] {
  const folders = [...texts.keys()].flatMap(
    (file) => /^lib\/domains\/([a-z-]+)\//.exec(file)?.[1] ?? [],
  )
  return [...new Set(folders)]
    .map((nouns) => ({ nouns, noun: nouns.replace(/s$/, '') }))
    .filter(({ nouns }) => [...texts.keys()].some((file) => isPageOf(nouns).test(file)))
}

const isPageOf = (nouns: string) =>
  new RegExp(`^app/\\(console\\)/(?:\\(\\w+\\)/)?(?:resources/)?${nouns}/`)

/** The parts of a noun, and which files are in each. */
const parts = ({ nouns, noun }: Noun): [part: string, files: RegExp][] => [
  ['domain', new RegExp(`^lib/domains/${nouns}/`)],
  ['pages', isPageOf(nouns)],
  ['commands', new RegExp(`^lib/doors/cli/commands/${noun}s?(-[a-z-]+)?\\.ts$`)],
  ['API', new RegExp(`^lib/doors/api/nouns/${nouns}\\.ts$`)],
  ['site file', new RegExp(`^lib/site-file/${noun}(-[a-z-]+)?\\.ts$`)],
]

function filesOf(noun: Noun, texts: Texts): [part: string, files: string[]][] {
  const own = [...texts.keys()].filter((file) => !ofTests.test(file))
  return parts(noun).map(([part, pattern]) => [part, own.filter((file) => pattern.test(file))])
}

/** Returns how many lines each part of a noun has, tests left out. */
export function linesOfNoun(noun: Noun, texts: Texts): [part: string, lines: number][] {
  return filesOf(noun, texts).map(([part, files]) => {
    const lines = files.map((file) => (texts.get(file) ?? '').split('\n').length - 1)
    return [part, lines.reduce((sum, each) => sum + each, 0)]
  })
}

/** Returns the names of the fields of each resource, and what references are called, by the folder of the domain. */
export async function resourceFields(
  texts: Texts,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shapes = [...texts].filter(
    ([file, text]) =>
      /^lib\/domains\/[a-z-]+\/shape\.ts$/.test(file) && /\bresource\(\{/.test(text),
  )
  const found = new Map<string, readonly string[]>()
  for (const [file] of shapes) {
    const exported: object = await import(/* @vite-ignore */ path.resolve(file))
    for (const { fields } of Object.values(exported).filter(isResource)) {
      const called = Object.values(fields).flatMap((field) =>
        field.kind === 'reference' ? field.as : [],
      )
      found.set(path.basename(path.dirname(file)), [...Object.keys(fields), ...called])
    }
  }
  return found
}

function isResource(value: unknown): value is AnyResource {
  return isNode(value) && 'fields' in value && 'Create' in value
}

/** The fewest fields of a resource that count as a list of them, and the share of all its fields. */
const fewest = 4
const share = 0.6
/** Reads a format of other programs, which has names of its own for most of these. */
const foreign = 'lib/domains/servers/shared/mcp-config.ts'

/**
 * Returns the files that list the fields of a resource again, which its shape does: an object or a type whose keys are
 * most of them. `fields` are the names of the fields, by the folder of the domain.
 */
export function findRestatements(
  texts: Texts,
  fields: ReadonlyMap<string, readonly string[]>,
): string[] {
  return nounsOf(texts).flatMap((noun) => {
    const names = new Set(fields.get(noun.nouns))
    if (names.size === 0) return []
    const enough = Math.max(fewest, Math.ceil(names.size * share))
    const files = filesOf(noun, texts).flatMap(([, each]) => each)
    return files.filter((file) => {
      if (file === `lib/domains/${noun.nouns}/shape.ts` || file === foreign) return false
      const most = Math.max(
        0,
        ...keyLists(file, texts).map((keys) => keys.filter((key) => names.has(key)).length),
      )
      return most >= enough
    })
  })
}

/** Returns the keys of each object and each type of a file. */
function keyLists(file: string, texts: Texts): string[][] {
  const tree: unknown = parseSync(texts.get(file) ?? '', {
    syntax: 'typescript',
    tsx: path.extname(file) === '.tsx',
    target: 'es2022',
  })
  const lists: string[][] = []
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) walk(each)
    if (!isNode(node)) return
    const members = membersOf(node)
    if (members.length > 0) lists.push(members.flatMap((member) => keyOf(member) ?? []))
    for (const each of Object.values(node)) walk(each)
  }
  walk(tree)
  return lists
}

type Node = Readonly<Record<string, unknown>>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function membersOf(node: Node): unknown[] {
  const { type, properties, members, body } = node
  const found = { ObjectExpression: properties, TsTypeLiteral: members, TsInterfaceBody: body }
  const list = Object.entries(found).find(([name]) => name === type)?.[1]
  return Array.isArray(list) ? list : []
}

/** Returns the key of `key: value`, `key` and `key?: type`; null = it has none, such as `...rest`. */
function keyOf(member: unknown): string | null {
  if (!isNode(member)) return null
  const named = isNode(member.key) ? member.key : member
  return typeof named.value === 'string' ? named.value : null
}

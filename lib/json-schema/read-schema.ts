import {
  type Check,
  checkValue,
  type Needs,
  newNode,
  type SchemaNode,
  type SchemaProblem,
  type Scope,
  wrong,
} from './check-value'
import {
  findReferred,
  findSchemas,
  type Home,
  homeOf,
  isReferenceAlone,
  joinPath,
  type SchemaMap,
} from './find-schemas'
import { isObject, type JsonObject, type Matcher, type Reading, SchemaFault } from './keyword'
import { leftoverRules, rules, uncheckable } from './keywords'

/** A schema that values can be checked with, or what keeps it from that, as sentences with paths. */
export type ReadSchema =
  | { type: 'checked'; check: (value: unknown) => SchemaProblem[] }
  | { type: 'refused'; problems: string[] }

const mostProblems = 5
const mostPatterns = 500
const mostPatternSteps = 20_000
/** Schemas about one value, each counted as often as references reach it; and how deep they may stand in each other. */
const mostReached = 20_000
const deepestReached = 300

/** A document that is being read. */
type Document = {
  map: SchemaMap
  nodes: Map<object, SchemaNode>
  /** The schemas whose keywords are not read yet. */
  open: JsonObject[]
  /** The schemas about the same value that a schema leads to. */
  same: Map<SchemaNode, SchemaNode[]>
  /** The choices that dynamic references have, by the addresses of resources. */
  choices: { name: string; nodes: Map<string, SchemaNode>; reached: SchemaNode[] }[]
  needs: Needs
  matchers: Map<string, Matcher>
  toMatcher: (pattern: string) => Matcher
}

const anything = newNode('')
const nothing = newNode('', [(look) => wrong(look, 'is not allowed')])
const noText: Matcher = { matches: () => false, steps: 0 }

/**
 * Reads a JSON Schema of draft 2020-12, 2019-09, 7, 6 or 4; without `$schema`, words of all of them. Annotations and
 * unknown words are accepted. An assertion that cannot be checked refuses the schema, and is named (SPEC R11). Nothing is
 * fetched. `toMatcher` compiles patterns; it throws an Error for those that it cannot match.
 */
export function readSchema(root: unknown, toMatcher: (pattern: string) => Matcher): ReadSchema {
  const problems: string[] = []
  const note = (path: string, sentence: string) => {
    if (problems.length >= mostProblems) return
    problems.push(path === '' ? sentence : `${path}: ${sentence}`)
  }
  try {
    const document: Document = {
      map: findSchemas(root, note),
      nodes: new Map(),
      open: [],
      same: new Map(),
      choices: [],
      needs: { marks: false, scopes: false },
      matchers: new Map(),
      toMatcher,
    }
    const node = readNode(document, root, '')
    readOpen(document, () => problems.length >= mostProblems)
    if (problems.length === 0 && !ends(document)) {
      note('', 'The schema refers to itself without an end, or too often.')
    }
    if (problems.length > 0) return { type: 'refused', problems }
    return { type: 'checked', check: (value) => checkValue(node, value, document.needs) }
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error
    return { type: 'refused', problems: [error.message] }
  }
}

/**
 * Reads the keywords of all schemas that were met, until all problems that are named were found. One after the other, so that
 * no chain of references is too long.
 */
function readOpen(document: Document, isEnough: () => boolean): void {
  for (let schema = document.open.pop(); schema; schema = document.open.pop()) {
    readKeywords(document, schema)
    if (isEnough()) return
    if (document.open.length > 0) continue
    for (const { name, nodes, reached } of document.choices) {
      for (const [uri, each] of document.map.dynamic.get(name) ?? []) {
        if (nodes.has(uri)) continue
        const node = readNode(document, each, '')
        nodes.set(uri, node)
        reached.push(node)
      }
    }
  }
}

/** Returns the schema as a node, whose checks come when it is its turn. */
function readNode({ map, nodes, open }: Document, schema: unknown, path: string): SchemaNode {
  if (schema === true) return anything
  if (schema === false) return nothing
  if (!isObject(schema)) {
    map.note(path, 'This must be a schema: an object, true or false.')
    return anything
  }
  const known = nodes.get(schema)
  if (known) return known
  const node = newNode(homeOf(map, schema).uri)
  nodes.set(schema, node)
  open.push(schema)
  return node
}

function readKeywords(document: Document, schema: JsonObject): void {
  const { map, needs } = document
  const home = homeOf(map, schema)
  const node = readNode(document, schema, home.path)
  const reading = readingOf(document, schema, home, node)
  const isAlone = isReferenceAlone(schema, home)
  node.takesNull = schema.nullable === true
  for (const rule of isAlone ? rules.slice(0, 1) : rules) {
    const check = applyRule(rule, reading, home, map)
    if (check) node.checks.push(check)
  }
  if (isAlone) return
  for (const rule of leftoverRules) {
    const check = applyRule(rule, reading, home, map)
    if (!check) continue
    node.leftovers.push(check)
    needs.marks = true
  }
  for (const [name, sentence] of uncheckable) {
    if (Object.hasOwn(schema, name)) map.note(joinPath(home.path, name), sentence)
  }
}

function applyRule(
  { names, keyword }: (typeof rules)[number],
  reading: Reading,
  home: Home,
  { note }: SchemaMap,
): Check | null {
  const name = names.find((each) => Object.hasOwn(reading.schema, each))
  if (name === undefined) return null
  try {
    return keyword(reading.schema[name], reading)
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error
    note(joinPath(home.path, error.at ?? name), error.message)
    return null
  }
}

function readingOf(document: Document, schema: JsonObject, home: Home, node: SchemaNode): Reading {
  const { map, needs } = document
  const reached: SchemaNode[] = []
  document.same.set(node, reached)
  const read = (each: unknown, at: string) => readNode(document, each, joinPath(home.path, at))
  const reach = (inner: SchemaNode) => {
    reached.push(inner)
    return inner
  }
  const refer = (reference: string, keyword: string): [SchemaNode, unknown, string] => {
    const [found, name] = findReferred(map, reference, home)
    return [reach(readNode(document, found, joinPath(home.path, keyword))), found, name]
  }
  return {
    schema,
    read,
    readSame: (each, at) => reach(read(each, at)),
    refer: (reference) => refer(reference, '$ref')[0],
    referDynamically: (reference) => {
      const [usual, found, name] = refer(reference, '$dynamicRef')
      const choices = map.dynamic.get(name)
      if (![...(choices?.values() ?? [])].some((each) => each === found)) return () => usual
      needs.scopes = true
      const nodes = new Map<string, SchemaNode>()
      document.choices.push({ name, nodes, reached })
      return (scope) => outermost(scope, nodes) ?? usual
    },
    matcher: (pattern, at) => {
      try {
        return matcherOf(document, pattern)
      } catch (error) {
        if (error instanceof SchemaFault) throw error
        map.note(joinPath(home.path, at), patternFault(pattern, error))
        return noText
      }
    },
    containsMarks: home.dialect.containsMarks,
  }
}

/** Returns the matcher of a pattern, which is compiled once for a document. */
function matcherOf({ matchers, toMatcher }: Document, pattern: string): Matcher {
  const known = matchers.get(pattern)
  if (known) return known
  const steps = [...matchers.values()].reduce((sum, each) => sum + each.steps, 0)
  if (matchers.size >= mostPatterns || steps > mostPatternSteps) {
    throw new SchemaFault('The patterns of the schema are too many, or repeat too much.')
  }
  const matcher = toMatcher(pattern)
  matchers.set(pattern, matcher)
  return matcher
}

function outermost(scope: Scope | null, nodes: ReadonlyMap<string, SchemaNode>) {
  let node: SchemaNode | undefined
  for (let step = scope; step; step = step.before) node = nodes.get(step.uri) ?? node
  return node
}

function patternFault(pattern: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `The regular expression ${pattern.slice(0, 80)} cannot be checked: ${reason.slice(0, 200).replace(/\.$/, '')}.`
}

type Reach = { size: number; depth: number }

/** Returns whether the schemas about one value come to an end, and are not too many. */
function ends({ same }: Document): boolean {
  const reaches = new Map<SchemaNode, Reach>()
  const endless: Reach = { size: Number.POSITIVE_INFINITY, depth: 0 }
  const open = new Set<SchemaNode>()
  const reachOf = (node: SchemaNode): Reach => {
    const known = reaches.get(node)
    if (known) return known
    if (open.has(node) || open.size > deepestReached) return endless
    open.add(node)
    const reach = { size: 1, depth: 1 }
    for (const inner of same.get(node) ?? []) {
      const { size, depth } = reachOf(inner)
      reach.size += size
      reach.depth = Math.max(reach.depth, depth + 1)
    }
    open.delete(node)
    reaches.set(node, reach)
    return reach
  }
  return [...same.keys()].every((node) => {
    const { size, depth } = reachOf(node)
    return size <= mostReached && depth <= deepestReached
  })
}

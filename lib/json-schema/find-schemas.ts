import { isObject, type JsonObject, SchemaFault } from './keyword'

/** Meaning of the keywords that changed between drafts. */
type Dialect = { hasIdWithoutDollar: boolean; refIsAlone: boolean; containsMarks: boolean }

const newest: Dialect = { hasIdWithoutDollar: false, refIsAlone: false, containsMarks: true }
const dialects: readonly [RegExp, Dialect][] = [
  [/draft-0?4\b/, { hasIdWithoutDollar: true, refIsAlone: true, containsMarks: true }],
  [/draft-0?[67]\b/, { hasIdWithoutDollar: false, refIsAlone: true, containsMarks: true }],
  [/draft\/2019-09\b/, { hasIdWithoutDollar: false, refIsAlone: false, containsMarks: false }],
]

/** Position of a schema: the address of its resource, and the path from the root for people. */
export type Home = { uri: string; dialect: Dialect; path: string }

/** All schemas of a document, and the names that references may use for them. */
export type SchemaMap = {
  homes: Map<object, Home>
  resources: Map<string, unknown>
  anchors: Map<string, unknown>
  /** By name: the schemas of each resource that dynamic references may reach. */
  dynamic: Map<string, Map<string, JsonObject>>
  note: (path: string, sentence: string) => void
}

const mostSchemas = 5_000
const mostDepth = 100

/** The address of a schema that has none. */
const unnamed = 'toolgate://schema/'

const schemaIn = new Set([
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
])
const listIn = new Set(['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf'])
const mapIn = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/** Finds all schemas of a document. Throws a SchemaFault for one that is too large or too deep. */
export function findSchemas(root: unknown, note: SchemaMap['note']): SchemaMap {
  const map: SchemaMap = {
    homes: new Map(),
    resources: new Map([[unnamed, root]]),
    anchors: new Map(),
    dynamic: new Map(),
    note,
  }
  addSchema(map, root, { uri: unnamed, dialect: newest, path: '' }, 0)
  return map
}

/** Returns where a schema is. */
export function homeOf({ homes }: SchemaMap, schema: object): Home {
  return homes.get(schema) ?? { uri: unnamed, dialect: newest, path: '' }
}

/** Returns whether the keywords beside `$ref` do not count, as in draft 7 and before. */
export function isReferenceAlone({ $ref }: JsonObject, { dialect }: Home): boolean {
  return dialect.refIsAlone && typeof $ref === 'string'
}

function addSchema(map: SchemaMap, schema: unknown, from: Home, depth: number): void {
  const { homes, note } = map
  if (!isObject(schema) || homes.has(schema)) return
  if (homes.size >= mostSchemas) {
    throw new SchemaFault('The schema is too large: it has more than 5,000 parts.')
  }
  if (depth > mostDepth) throw new SchemaFault('The schema is nested too deeply.')
  const home = { ...from, dialect: dialectOf(schema) ?? from.dialect }
  homes.set(schema, home)
  addNames(map, schema, home)
  for (const [name, value] of Object.entries(schema)) {
    const path = joinPath(home.path, name)
    if (Array.isArray(value) && listIn.has(name)) {
      for (const [index, each] of value.entries()) {
        addSchema(map, each, { ...home, path: `${path}[${index}]` }, depth + 1)
      }
    } else if (schemaIn.has(name)) addSchema(map, value, { ...home, path }, depth + 1)
    else if (mapIn.has(name) && isObject(value)) {
      for (const [key, each] of Object.entries(value)) {
        addSchema(map, each, { ...home, path: joinPath(path, key) }, depth + 1)
      }
    } else if (name === '$defs' || name === 'definitions') {
      note(path, 'This must be an object of schemas.')
    }
  }
}

function dialectOf({ $schema }: JsonObject): Dialect | undefined {
  if (typeof $schema !== 'string') return undefined
  return dialects.find(([named]) => named.test($schema))?.[1] ?? newest
}

/** Adds what references may call this schema. Changes the address of its home when it is a resource of its own. */
function addNames(map: SchemaMap, schema: JsonObject, home: Home): void {
  const id = home.dialect.hasIdWithoutDollar ? schema.id : schema.$id
  if (typeof id === 'string' && !isReferenceAlone(schema, home)) addAddress(map, schema, id, home)
  for (const name of ['$id', '$schema', '$anchor', '$dynamicAnchor']) {
    if (typeof (schema[name] ?? '') !== 'string') {
      map.note(joinPath(home.path, name), 'This must be text.')
    }
  }
  const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema
  if (typeof $anchor === 'string') addAnchor(map, schema, $anchor, home)
  if (typeof $dynamicAnchor === 'string') {
    addAnchor(map, schema, $dynamicAnchor, home)
    addDynamic(map, schema, $dynamicAnchor, home)
  }
  if ($recursiveAnchor === true) addDynamic(map, schema, '', home)
}

function addAddress(map: SchemaMap, schema: JsonObject, id: string, home: Home): void {
  const address = resolveAddress(id, home.uri)
  if (!address) {
    map.note(home.path, `${shortened(id)} is no address.`)
    return
  }
  const [uri, fragment] = address
  if (fragment !== '') addAnchor(map, schema, fragment, { ...home, uri })
  if (id.startsWith('#')) return
  if ((map.resources.get(uri) ?? schema) !== schema) {
    map.note(home.path, `Another part of the schema has the address ${shortened(id)}, too.`)
    return
  }
  home.uri = uri
  map.resources.set(uri, schema)
}

function addAnchor({ anchors, note }: SchemaMap, schema: JsonObject, name: string, home: Home) {
  const address = `${home.uri}#${name}`
  if ((anchors.get(address) ?? schema) !== schema) {
    note(home.path, `Another part of the schema is called ${shortened(name)}, too.`)
    return
  }
  anchors.set(address, schema)
}

function addDynamic({ dynamic }: SchemaMap, schema: JsonObject, name: string, { uri }: Home) {
  const known = dynamic.get(name) ?? new Map<string, JsonObject>()
  dynamic.set(name, known.set(uri, schema))
}

/** Returns the schema that a reference names, and the name when it is one. Throws a SchemaFault. */
export function findReferred(map: SchemaMap, reference: string, home: Home): [unknown, string] {
  const address = resolveAddress(reference, home.uri)
  if (!address) throw new SchemaFault(`${shortened(reference)} is no address.`)
  const [uri, fragment] = address
  const resource = map.resources.get(uri)
  if (resource === undefined) {
    throw new SchemaFault(
      `${shortened(reference)} is not a part of this schema. Only references within the schema are followed, such as "#/$defs/item".`,
    )
  }
  const isPointer = fragment === '' || fragment.startsWith('/')
  const found = isPointer ? partOf(resource, fragment) : map.anchors.get(`${uri}#${fragment}`)
  if (found === undefined) throw new SchemaFault(`There is nothing at ${shortened(reference)}.`)
  const at = isObject(resource) ? homeOf(map, resource) : home
  // A part that no keyword leads to is found only now.
  addSchema(map, found, { ...at, uri, path: fragment.slice(1).replaceAll('/', '.') }, 0)
  return [found, fragment]
}

/** Returns the address without its fragment, and the fragment, decoded; null = it is none. */
function resolveAddress(reference: string, base: string): [uri: string, fragment: string] | null {
  try {
    // An URL would drop line ends and tabs.
    if (reference.startsWith('#')) return [base, decodeURIComponent(reference.slice(1))]
    const url = new URL(reference, base)
    const fragment = decodeURIComponent(url.hash.slice(1))
    url.hash = ''
    return [url.href.replace(/#$/, ''), fragment]
  } catch {
    return null
  }
}

/** Returns the part that a JSON Pointer names; undefined = there is none. */
export function partOf(whole: unknown, pointer: string): unknown {
  let part: unknown = whole
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
    part = Reflect.get(part, name)
  }
  return part
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function shortened(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`
}

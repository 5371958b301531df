import {
  addMarks,
  type Check,
  type CheckState,
  fits,
  goesOn,
  type SchemaNode,
  type SchemaProblem,
  spend,
  tryLook,
  wrong,
} from './check-value'
import { alternativeNames } from './discriminator'
import { isNames, isObject, type Keyword, must, type Reading } from './keyword'

// Keywords that combine schemas for one value: references, choices and conditions.

export const reference: Keyword = (value, { refer }) => {
  must(typeof value === 'string', 'This must be text.')
  const node = refer(value)
  return (look) => fits(node, look)
}

export const dynamicReference: Keyword = (value, { referDynamically }) => {
  must(typeof value === 'string', 'This must be text.')
  const nodeIn = referDynamically(value)
  return (look) => fits(nodeIn(look.scope), look)
}

function readList(value: unknown, name: string, { readSame }: Reading): SchemaNode[] {
  must(Array.isArray(value) && value.length > 0, 'This must be a list of schemas.')
  return value.map((each, index) => readSame(each, `${name}[${index}]`))
}

export const allOf: Keyword = (value, reading) => {
  const nodes = readList(value, 'allOf', reading)
  return (look) => {
    let isFit = true
    for (const node of nodes) {
      isFit = fits(node, look) && isFit
      if (!goesOn(look, isFit)) break
    }
    return isFit
  }
}

export const anyOf: Keyword = (value, reading) => {
  const nodes = readList(value, 'anyOf', reading)
  return discriminated(value, nodes, reading, (look) => {
    let isFit = false
    for (const node of nodes) {
      // All of them, where it matters what they mark.
      if ((isFit && !look.marks) || look.work.isTooMuch) break
      isFit = fits(node, { ...look, problems: null }) || isFit
    }
    return isFit || noneFits(nodes, look, 'anyOf')
  })
}

export const oneOf: Keyword = (value, reading) => {
  const nodes = readList(value, 'oneOf', reading)
  return discriminated(value, nodes, reading, (look) => {
    let fitting: CheckState | null = null
    for (const node of nodes) {
      const own = tryLook(look)
      if (!fits(node, own)) continue
      if (fitting) return wrong(look, 'fits more than one of the schemas in oneOf')
      fitting = own
    }
    if (!fitting) return noneFits(nodes, look, 'oneOf')
    addMarks(look, fitting.marks)
    return true
  })
}

/** Returns a check that follows the `discriminator` of OpenAPI, a property that says which schema counts, where it names one. */
function discriminated(
  value: unknown,
  nodes: readonly SchemaNode[],
  { schema }: Reading,
  otherwise: Check,
): Check {
  const names = alternativeNames(schema.discriminator, Array.isArray(value) ? value : [])
  if (!names) return otherwise
  return (look) => {
    const { value: object } = look
    const name = isObject(object) && Object.hasOwn(object, names.property) && object[names.property]
    if (typeof name !== 'string') return otherwise(look)
    const node = nodes[names.places.get(name) ?? -1]
    if (node) return fits(node, look)
    if (!names.isWhole) return otherwise(look)
    const listed = [...names.places.keys()].slice(0, 20).join(', ')
    return wrong(look, `must be one of ${listed}`, { key: names.property })
  }
}

/** Says what is wrong with the alternative that comes closest. */
function noneFits(nodes: readonly SchemaNode[], look: CheckState, name: string): false {
  const { problems } = look
  if (!problems) return false
  wrong(look, `fits none of the schemas in ${name}`)
  let closest: SchemaProblem[] = []
  let least = Number.POSITIVE_INFINITY
  for (const node of nodes) {
    const own: SchemaProblem[] = []
    if (fits(node, tryLook(look, own)) || look.work.isTooMuch) return false
    const distance = own.length + (own.some(({ isKind }) => isKind) ? 100 : 0)
    if (distance < least) [closest, least] = [own, distance]
  }
  problems.push(...closest.slice(0, 3))
  return false
}

export const not: Keyword = (value, { readSame }) => {
  const node = readSame(value, 'not')
  return (look) => !fits(node, tryLook(look)) || wrong(look, 'fits the schema in not')
}

export const condition: Keyword = (value, { schema, readSame }) => {
  const node = readSame(value, 'if')
  const then = schema.then === undefined ? null : readSame(schema.then, 'then')
  const otherwise = schema.else === undefined ? null : readSame(schema.else, 'else')
  return (look) => {
    const branch = fits(node, { ...look, problems: null }) ? then : otherwise
    return !branch || fits(branch, look)
  }
}

type Need = { name: string; names: readonly string[]; node: SchemaNode | null }

/** `dependentSchemas`, `dependentRequired`, and `dependencies`, which was both. */
export const dependent =
  (keyword: string): Keyword =>
  (value, reading) => {
    must(isObject(value), 'This must be an object.')
    const needs = Object.entries(value).map(([name, each]): Need => {
      const at = `${keyword}.${name}`
      if (!Array.isArray(each)) return { name, names: [], node: reading.readSame(each, at) }
      must(isNames(each), 'This must be a list of names, or a schema.', at)
      return { name, names: each, node: null }
    })
    return hasAll(needs)
  }

function hasAll(needs: readonly Need[]): Check {
  return (look) => {
    const { value: object } = look
    if (!isObject(object)) return true
    let isFit = true
    for (const need of needs) {
      if (!spend(look, 1 + need.names.length / 4)) return false
      if (Object.hasOwn(object, need.name)) isFit = has(object, need, look) && isFit
    }
    return isFit
  }
}

function has(object: object, { name, names, node }: Need, look: CheckState): boolean {
  const missing = names.filter((each) => !Object.hasOwn(object, each))
  for (const key of missing) wrong(look, `is required beside ${name}`, { key })
  return missing.length === 0 && (!node || fits(node, look))
}

import {
  type Check,
  type CheckState,
  fitsInside,
  goesOn,
  type SchemaNode,
  spend,
  spendOnText,
  tryLook,
  wrong,
} from './check-value'
import { equalKey } from './exact-values'
import {
  countWords,
  isCount,
  isNames,
  isObject,
  type Keyword,
  type Matcher,
  must,
  type Reading,
} from './keyword'

// Keywords for the properties of an object and the items of a list.

export const required: Keyword = (value) => {
  must(isNames(value), 'This must be a list of names.')
  return (look) => {
    const { value: object } = look
    if (!isObject(object)) return true
    if (!spend(look, value.length / 4)) return false
    const missing = value.filter((name) => !Object.hasOwn(object, name))
    for (const key of missing) wrong(look, 'is required', { key })
    return missing.length === 0
  }
}

/** Reads an object whose values are schemas. */
function readMap(
  keyword: 'properties' | 'patternProperties',
  { schema, read }: Reading,
): [string, SchemaNode][] {
  const { [keyword]: value = {} } = schema
  must(isObject(value), 'This must be an object of schemas.', keyword)
  return Object.entries(value).map(([name, each]) => [name, read(each, `${keyword}.${name}`)])
}

/**
 * `properties`, `patternProperties` and `additionalProperties` are one check, because the last is about what the others
 * leave. Which of them is read first does it for all.
 */
export const objects: Keyword = (_, reading) => {
  const { schema, read, matcher } = reading
  const named = new Map(readMap('properties', reading))
  const matched = readMap('patternProperties', reading).map(
    ([name, node]): [Matcher, SchemaNode] => [matcher(name, 'patternProperties'), node],
  )
  const { additionalProperties } = schema
  const others =
    additionalProperties === undefined ? null : read(additionalProperties, 'additionalProperties')
  const nodesOf = (look: CheckState, name: string) => {
    const own = named.get(name)
    const nodes = own ? [own] : []
    for (const [{ matches, steps }, node] of matched) {
      if (spendOnText(look, (name.length + 1) * steps) && matches(name)) nodes.push(node)
    }
    if (nodes.length === 0 && others && additionalProperties !== false) nodes.push(others)
    return nodes
  }
  return (look) => {
    const { value: object } = look
    if (!isObject(object)) return true
    const unknown: string[] = []
    let isFit = true
    for (const [name, value] of Object.entries(object)) {
      if (!spend(look, 1) || !goesOn(look, isFit)) return false
      const nodes = nodesOf(look, name)
      if (nodes.length > 0) look.marks?.add(name)
      else if (additionalProperties === false) unknown.push(name)
      for (const node of nodes) isFit = fitsInside(node, look, name, value) && isFit
    }
    return unknown.length > 0 ? notAllowed(look, unknown) : isFit
  }
}

function notAllowed(look: CheckState, unknown: string[]): false {
  return wrong(look, 'has properties that are not allowed', { unknown })
}

export const propertyNames: Keyword = (value, { read }) => {
  const node = read(value, 'propertyNames')
  return (look) => {
    if (!isObject(look.value)) return true
    const quiet = tryLook(look)
    const unknown = Object.keys(look.value).filter((name) => !fitsInside(node, quiet, name, name))
    return (
      unknown.length === 0 ||
      wrong(look, 'has properties with names that are not allowed', { unknown })
    )
  }
}

/** `items`, with what stood for the same in other drafts: a list of schemas, and `additionalItems` after it. */
export const items: Keyword = (_, { schema, read }) => {
  const { prefixItems, items, additionalItems } = schema
  must(
    prefixItems === undefined || !Array.isArray(items),
    'Beside prefixItems, this must be one schema.',
    'items',
  )
  const keyword = prefixItems === undefined ? 'items' : 'prefixItems'
  const listed = prefixItems ?? (Array.isArray(items) ? items : [])
  must(Array.isArray(listed), 'This must be a list of schemas.')
  const first = listed.map((each, index) => read(each, `${keyword}[${index}]`))
  const [after, name] = Array.isArray(items)
    ? [additionalItems, 'additionalItems']
    : [items, 'items']
  const rest = after === undefined ? null : read(after, name)
  return (look) => {
    if (!Array.isArray(look.value)) return true
    let isFit = true
    for (const [index, value] of look.value.entries()) {
      const node = first[index] ?? rest
      if (!node || !goesOn(look, isFit)) break
      look.marks?.add(index)
      isFit = fitsInside(node, look, index, value) && isFit
    }
    return isFit
  }
}

export const uniqueItems: Keyword = (value) => {
  must(typeof value === 'boolean', 'This must be true or false.')
  if (!value) return null
  return (look) => {
    if (!Array.isArray(look.value)) return true
    const simple = new Set<unknown>()
    const keys = new Set<string>()
    let size = 0
    for (const each of look.value) {
      size += 1
      if (typeof each !== 'object' || each === null) simple.add(each)
      else {
        const key = equalKey(each)
        if (!spend(look, 2 + key.length / 4)) return false
        keys.add(key)
      }
      if (simple.size + keys.size < size) return wrong(look, 'must have no item twice')
    }
    return spend(look, simple.size / 8)
  }
}

export const contains: Keyword = (value, { schema, read, containsMarks }) => {
  const node = read(value, 'contains')
  const { minContains: least = 1, maxContains: most } = schema
  // Their own keywords say what is wrong with them.
  if (!isCount(least) || (most !== undefined && !isCount(most))) return null
  const limits = most === undefined ? `at least ${least}` : `${least} to ${most}`
  return (look) => {
    if (!Array.isArray(look.value)) return true
    const quiet = tryLook(look)
    let found = 0
    for (const [index, each] of look.value.entries()) {
      if (look.work.isTooMuch) return false
      if (!fitsInside(node, quiet, index, each)) continue
      found += 1
      if (containsMarks) look.marks?.add(index)
    }
    if (found >= least && found <= (most ?? found)) return true
    return wrong(look, `must have ${limits} items that fit the schema in contains, has ${found}`)
  }
}

/** `minContains` and `maxContains`, which count for `contains` and mean nothing alone. */
export const containsCount: Keyword = (value) => {
  must(isCount(value), countWords)
  return null
}

export const unevaluatedProperties: Keyword = (value, { read }) => {
  const node = read(value, 'unevaluatedProperties')
  return leftovers(
    isObject,
    (object) => Object.entries(object),
    (left, look) => {
      if (value === false) {
        return (
          left.length === 0 ||
          notAllowed(
            look,
            left.map(([name]) => name),
          )
        )
      }
      return allFit(node, left, look)
    },
  )
}

export const unevaluatedItems: Keyword = (value, { read }) => {
  const node = read(value, 'unevaluatedItems')
  return leftovers(
    (list) => Array.isArray(list),
    (list) => [...list.entries()],
    (left, look) => allFit(node, left, look),
  )
}

/** Returns a check of what no other part of the schema marked, which marks all of it. */
function leftovers<T, K extends string | number>(
  isOf: (value: unknown) => value is T,
  entriesOf: (value: T) => [K, unknown][],
  check: (left: [K, unknown][], look: CheckState) => boolean,
): Check {
  return (look) => {
    const { value, marks } = look
    if (!isOf(value) || !marks) return true
    const entries = entriesOf(value)
    if (!spend(look, entries.length)) return false
    const left = entries.filter(([key]) => !marks.has(key))
    for (const [key] of left) marks.add(key)
    return check(left, look)
  }
}

function allFit(node: SchemaNode, left: [string | number, unknown][], look: CheckState): boolean {
  let isFit = true
  for (const [key, value] of left) {
    if (!goesOn(look, isFit)) break
    isFit = fitsInside(node, look, key, value) && isFit
  }
  return isFit
}

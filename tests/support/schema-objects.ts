type Schema = Record<string, unknown>
type Place = readonly (string | number)[]
/** An object somewhere in an example of a schema. `withField` returns the example with one more field there. */
export type PlacedObject = { place: Place; withField: (name: string) => unknown }

/**
 * Returns every object of a JSON schema that says all its fields, each in an example of the whole: one for each choice
 * of a union. Objects that take any field are left out.
 */
export function objectsOf(schema: Schema): PlacedObject[] {
  return examplesOf(schema, schema).flatMap(({ value, closed }) =>
    closed.map((place) => ({ place, withField: (name) => added(value, place, name) })),
  )
}

/** `closed`: where objects stand in the value that take no further fields. */
type Example = { value: unknown; closed: Place[] }

function examplesOf(schema: unknown, root: Schema, depth = 0): [Example, ...Example[]] {
  const none: Example = { value: null, closed: [] }
  if (!isObject(schema) || depth > 8) return [none]
  const { $ref, const: only, enum: values } = schema
  if (only !== undefined) return [{ value: only, closed: [] }]
  if (Array.isArray(values)) return [{ value: values[0], closed: [] }]
  if (typeof $ref === 'string') return examplesOf(referred($ref, root), root, depth + 1)
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (choices) {
    const examples = choices.flatMap((each) => examplesOf(each, root, depth + 1))
    // A name that nobody has would be refused first.
    const [first = none, ...rest] = examples.toSorted(
      (a, b) =>
        Number(b.closed.length > 0 || b.value === null) -
        Number(a.closed.length > 0 || a.value === null),
    )
    return [first, ...rest]
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return examplesOfObject(schema, root, depth)
    case 'array': {
      const [first, ...rest] = examplesOf(schema.items, root, depth + 1)
      const inList = ({ value, closed }: Example) => ({
        value: [value],
        closed: closed.map((place) => [0, ...place]),
      })
      return [inList(first), ...rest.map(inList)]
    }
    case 'boolean':
      return [{ value: true, closed: [] }]
    case 'integer':
    case 'number':
      return [
        { value: typeof schema.minimum === 'number' ? Math.max(1, schema.minimum) : 1, closed: [] },
      ]
    case 'string':
      return [{ value: schema.format === 'uuid' ? nobody : 'text', closed: [] }]
    default:
      return [none]
  }
}

/** Returns an example with every field, and one more for each further example of a field. */
function examplesOfObject(schema: Schema, root: Schema, depth: number): [Example, ...Example[]] {
  const { properties = {}, additionalProperties: more } = schema
  const fields = Object.entries(properties as Schema).map(
    ([name, each]) => [name, examplesOf(each, root, depth + 1)] as const,
  )
  const isOpen = more !== undefined && more !== false
  const first: Example = {
    value: Object.fromEntries(fields.map(([name, [{ value }]]) => [name, value])),
    closed: [
      ...(isOpen ? [] : [[]]),
      ...fields.flatMap(([name, [{ closed }]]) => closed.map((place) => [name, ...place])),
    ],
  }
  const others = fields.flatMap(([name, [, ...rest]]) =>
    rest.map(({ value, closed }) => ({
      value: { ...(first.value as Schema), [name]: value },
      closed: closed.map((place) => [name, ...place]),
    })),
  )
  return [first, ...others]
}

function added(value: unknown, [step, ...rest]: Place, name: string): unknown {
  if (step === undefined) return { ...(value as Schema), [name]: 1 }
  if (Array.isArray(value)) return value.map((each) => added(each, rest, name))
  const object = value as Schema
  return { ...object, [step]: added(object[step], rest, name) }
}

function referred($ref: string, root: Schema): unknown {
  if ($ref === '#') return root
  const [, group, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? []
  const defs = group && root[group]
  return isObject(defs) && name ? defs[name] : null
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const nobody = '00000000-0000-7000-8000-000000000000'

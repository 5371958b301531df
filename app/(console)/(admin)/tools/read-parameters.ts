export type ParameterRow = {
  name: string
  type: string
  required: boolean
  /** Limits and default in words; "" when there are none. */
  limits: string
  description: string
}

type Schema = Record<string, unknown>

/** Returns the properties of a tool's JSON Schema as rows. */
export function readParameters(parameters: Schema): ParameterRow[] {
  const required = new Set(Array.isArray(parameters.required) ? parameters.required : [])
  return Object.entries(asSchema(parameters.properties)).map(([name, value]) => {
    const schema = asSchema(value)
    return {
      name,
      type: typeWords(schema),
      required: required.has(name),
      limits: limitWords(schema),
      description: typeof schema.description === 'string' ? schema.description : '',
    }
  })
}

function typeWords(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(inWords).join(' | ')
  if ('const' in schema) return inWords(schema.const)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives))
    return alternatives.map((each) => typeWords(asSchema(each))).join(' | ')
  if (schema.type === 'array') return `list of ${typeWords(asSchema(schema.items))}`
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return typeof schema.type === 'string' ? schema.type : 'any'
}

function limitWords(schema: Schema): string {
  const span = (low: unknown, high: unknown, unit: string) => {
    const from = bound(low)
    const to = bound(high)
    if (from !== null && to !== null) return `${from} to ${to}${unit}`
    if (from !== null) return `at least ${from}${unit}`
    return to === null ? null : `at most ${to}${unit}`
  }
  return [
    span(schema.minimum, schema.maximum, ''),
    span(schema.minLength, schema.maxLength, ' characters'),
    span(schema.minItems, schema.maxItems, ' entries'),
    'default' in schema ? `default ${inWords(schema.default)}` : null,
  ]
    .filter(Boolean)
    .join(', ')
}

// Generated schemas name the largest safe integer where there is no limit.
function bound(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null
}

function inWords(value: unknown): string {
  return JSON.stringify(value) ?? 'none'
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}

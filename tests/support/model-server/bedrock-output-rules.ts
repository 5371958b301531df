type Json = Record<string, unknown>

/** Models that tests ask and whose cards in the User Guide list structured outputs at the runtime endpoint. */
const taking = /anthropic\.claude-(?:(?:sonnet|haiku|opus)-4-5|opus-4-6|sonnet-4-6)|openai\.gpt-oss/

const keywords = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'anyOf',
  'allOf',
  '$ref',
  '$defs',
  'definitions',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'format',
])
const formats = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

/**
 * Returns why the Converse API refuses `outputConfig`; null = it does not. By the page "Get validated JSON results from
 * models" of its User Guide (read on 2026-11-23), in words that people quote of its answers: models that do not take
 * it, schemas that are no text, open objects, references without a target and keywords outside the subset.
 */
export function outputProblem(outputConfig: unknown, modelId: string): string | null {
  if (outputConfig === undefined) return null
  if (!taking.test(modelId)) {
    return modelId.includes('anthropic.')
      ? 'The model returned the following errors: output_config.format: Extra inputs are not permitted'
      : "This model doesn't support the outputConfig.textFormat field. Remove outputConfig.textFormat and try again."
  }
  const { type, structure } = json(json(outputConfig).textFormat)
  if (type !== 'json_schema') return 'outputConfig.textFormat.type must be json_schema.'
  const { schema: text, name } = json(json(structure).jsonSchema)
  if (typeof text !== 'string') {
    return 'The value at outputConfig.textFormat.structure.jsonSchema.schema is not a string.'
  }
  if (name !== undefined && !/^[\w-]{1,64}$/.test(String(name)))
    return 'jsonSchema.name is invalid.'
  const root = json(JSON.parse(text))
  const wrong = schemaProblem(root, { root, within: [] })
  return wrong && `output_config.format.schema: ${wrong}`
}

type Place = { root: Json; within: Json[] }

function schemaProblem(schema: Json, { root, within }: Place): string | null {
  if (within.includes(schema)) return 'Recursive schemas are not supported.'
  const place = { root, within: [...within, schema] }
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword))
  if (unknown !== undefined) return `The property '${unknown}' is not supported.`
  const { type, additionalProperties, format, minItems, $ref } = schema
  if (type === 'object' && additionalProperties !== false) {
    return "For 'object' type, 'additionalProperties' must be explicitly set to false"
  }
  if (format !== undefined && !formats.has(String(format))) return 'This format is not supported.'
  if (minItems !== undefined && minItems !== 0 && minItems !== 1) {
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
  }
  const referred = $ref === undefined ? [] : [referredBy(String($ref), root)]
  if (referred.includes(null)) return 'Only internal references are supported.'
  const inner = [
    ...referred,
    ...Object.values(json(schema.properties)),
    ...Object.values(json(schema.$defs)),
    ...[schema.anyOf, schema.allOf].filter(Array.isArray).flat(),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]
  return inner.map((each) => schemaProblem(json(each), place)).find((wrong) => wrong) ?? null
}

function referredBy($ref: string, root: Json): Json | null {
  if ($ref === '#') return root
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec($ref) ?? []
  const found = name === undefined ? undefined : json(root.$defs)[name]
  return found === undefined ? null : json(found)
}

function json(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

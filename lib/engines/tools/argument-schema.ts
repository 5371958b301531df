import { z } from 'zod'
import type { SchemaProblem } from '@/lib/json-schema/check-value'
import { isObject, type JsonObject } from '@/lib/json-schema/keyword'
import { linearPattern, type triedPattern } from '@/lib/json-schema/linear-pattern'
import { readSchema } from '@/lib/json-schema/read-schema'

/** The parameters as a model gets them, and what arguments are checked with. */
export type CheckedParameters = { parameters: JsonObject; schema: z.ZodType }

/** Keywords that may name further parameters, so that only what none of them names is unknown. */
const joining = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'dependencies',
]

/**
 * Returns how arguments are checked against a JSON Schema. Where it does not say what is allowed besides the parameters that
 * it names, nothing is. Returns the sentences that say why it cannot be used.
 */
export function readParameters(
  parameters: JsonObject,
  toMatcher: typeof triedPattern = linearPattern,
): CheckedParameters | string[] {
  const { type, $schema } = parameters
  if (type !== 'object') return ['parameters.type must be "object".']
  const isOld = typeof $schema === 'string' && /draft-0?[4-7]\b/.test($schema)
  if (isOld && parameters.$ref !== undefined) {
    return ['parameters: in this draft nothing counts beside $ref. Write the reference into allOf.']
  }
  const given = closedParameters(parameters)
  // A model is not told of this word, which some providers refuse.
  const checked =
    saysWhatElse(parameters) || !isJoined(parameters)
      ? given
      : { ...parameters, unevaluatedProperties: false }
  const read = readSchema(checked, toMatcher)
  if (read.type === 'refused') return read.problems.map((problem) => `parameters.${problem}`)
  const { check } = read
  const schema = z.unknown().superRefine((value, context) => {
    for (const problem of check(value)) context.addIssue(issueOf(problem))
  })
  if (!JSON.stringify(parameters).includes('"default":')) return { parameters: given, schema }
  const filling = schema.transform((value) => {
    const filled = withDefaults(parameters, value)
    return check(filled).length === 0 ? filled : value
  })
  return { parameters: given, schema: filling }
}

/** Returns parameters as models are told them: closed where they do not say what is allowed besides. */
export function closedParameters(parameters: JsonObject): JsonObject {
  if (saysWhatElse(parameters) || isJoined(parameters)) return parameters
  return { additionalProperties: false, ...parameters }
}

function saysWhatElse({ additionalProperties, unevaluatedProperties }: JsonObject): boolean {
  return additionalProperties !== undefined || unevaluatedProperties !== undefined
}

function isJoined(parameters: JsonObject): boolean {
  return joining.some((keyword) => parameters[keyword] !== undefined)
}

function issueOf({ path, message, unknown: keys }: SchemaProblem) {
  return keys
    ? { code: 'unrecognized_keys' as const, keys, path, message }
    : { code: 'custom' as const, path, message }
}

/** Returns the arguments with the defaults of parameters that were left out. */
function withDefaults({ properties }: JsonObject, value: unknown): unknown {
  if (!isObject(properties) || !isObject(value)) return value
  const entries = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    if (!isObject(schema)) return []
    if (Object.hasOwn(value, name)) return [[name, withDefaults(schema, value[name])]]
    return schema.default === undefined ? [] : [[name, structuredClone(schema.default)]]
  })
  return Object.fromEntries([...Object.entries(value), ...entries])
}

import {
  allOf,
  anyOf,
  condition,
  dependent,
  dynamicReference,
  not,
  oneOf,
  reference,
} from './joining-keywords'
import type { Keyword } from './keyword'
import {
  contains,
  containsCount,
  items,
  objects,
  propertyNames,
  required,
  unevaluatedItems,
  unevaluatedProperties,
  uniqueItems,
} from './part-keywords'
import {
  constant,
  enumeration,
  exclusiveMaximum,
  exclusiveMinimum,
  maxItems,
  maximum,
  maxLength,
  maxProperties,
  minItems,
  minimum,
  minLength,
  minProperties,
  multipleOf,
  pattern,
  type,
} from './value-keywords'

/** A check, and the keywords that it is made of: it is made once where a schema has any of them. */
type Rule = { names: readonly string[]; keyword: Keyword }

/** Checked keywords, in this order. Annotations, `format` among them, and unknown words are not checked. */
export const rules: readonly Rule[] = [
  { names: ['$ref'], keyword: reference },
  { names: ['$dynamicRef'], keyword: dynamicReference },
  { names: ['$recursiveRef'], keyword: dynamicReference },
  { names: ['type'], keyword: type },
  { names: ['enum'], keyword: enumeration },
  { names: ['const'], keyword: constant },
  { names: ['minimum'], keyword: minimum },
  { names: ['maximum'], keyword: maximum },
  { names: ['exclusiveMinimum'], keyword: exclusiveMinimum },
  { names: ['exclusiveMaximum'], keyword: exclusiveMaximum },
  { names: ['multipleOf'], keyword: multipleOf },
  { names: ['minLength'], keyword: minLength },
  { names: ['maxLength'], keyword: maxLength },
  { names: ['pattern'], keyword: pattern },
  { names: ['minItems'], keyword: minItems },
  { names: ['maxItems'], keyword: maxItems },
  { names: ['uniqueItems'], keyword: uniqueItems },
  { names: ['minProperties'], keyword: minProperties },
  { names: ['maxProperties'], keyword: maxProperties },
  { names: ['required'], keyword: required },
  { names: ['properties', 'patternProperties', 'additionalProperties'], keyword: objects },
  { names: ['propertyNames'], keyword: propertyNames },
  { names: ['prefixItems', 'items'], keyword: items },
  { names: ['contains'], keyword: contains },
  { names: ['minContains'], keyword: containsCount },
  { names: ['maxContains'], keyword: containsCount },
  ...['dependentRequired', 'dependentSchemas', 'dependencies'].map((name) => ({
    names: [name],
    keyword: dependent(name),
  })),
  { names: ['allOf'], keyword: allOf },
  { names: ['anyOf'], keyword: anyOf },
  { names: ['oneOf'], keyword: oneOf },
  { names: ['not'], keyword: not },
  { names: ['if'], keyword: condition },
]

/** Keywords about the parts that no other check marked. */
export const leftoverRules: readonly Rule[] = [
  { names: ['unevaluatedProperties'], keyword: unevaluatedProperties },
  { names: ['unevaluatedItems'], keyword: unevaluatedItems },
]

/** Assertions that are not checked. A schema that has one is refused, because its author expects that it holds. */
export const uncheckable: ReadonlyMap<string, string> = new Map([
  ['$vocabulary', 'Vocabularies of others are not known.'],
  ['extends', 'Draft 3 is not known. Write allOf.'],
  ['disallow', 'Draft 3 is not known. Write not.'],
  ['divisibleBy', 'Draft 3 is not known. Write multipleOf.'],
])

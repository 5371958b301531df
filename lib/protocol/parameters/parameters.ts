import { z } from 'zod'
import { formatCount, parseCount, parseDecimal } from '@/lib/words/format'
import { jsonOrText } from '@/lib/words/json-text'
import { type Described, furtherParameters, requestParameters } from './parameter-descriptors'
import { JsonObject, storedSchema } from './parameter-values'

type Fields = Readonly<Record<string, Described>>
type All = typeof requestParameters & typeof furtherParameters

export type ParameterName = keyof All
export type RequestParameterName = keyof typeof requestParameters
export type OptionName = keyof typeof furtherParameters
export type ParameterDescriptor = Described & { key: ParameterName }

/** Returns a schema of what is stored; what is missing has its default value. */
function storedObject<F extends Fields>(fields: F) {
  const shape = Object.entries(fields).map(([key, { schema, stored = schema, defaultValue }]) => [
    key,
    stored.default(defaultValue),
  ])
  // Object.fromEntries loses the types of the keys.
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodObject<{
    [K in keyof F]: z.ZodDefault<F[K]['schema']>
  }>
}

/** Returns the schemas of what may be set. Stated here again, so that the loop loads no code of forms. */
function schemasOf<F extends Fields>(fields: F) {
  const shape = Object.entries(fields).map(([key, { schema }]) => [key, schema])
  // Object.fromEntries loses the types of the keys.
  return Object.fromEntries(shape) as { [K in keyof F]: F[K]['schema'] }
}

// Object.keys loses the type: these are the keys of the two lists.
export const requestParameterNames = Object.keys(requestParameters) as RequestParameterName[]
export const optionNames = Object.keys(furtherParameters) as OptionName[]
export const parameterNames: readonly ParameterName[] = [...requestParameterNames, ...optionNames]

const all = { ...requestParameters, ...furtherParameters }
export const describedParameters: Readonly<Record<ParameterName, Described>> = all

/** Every parameter once, in the order of the form. */
export const parameterDescriptors: readonly ParameterDescriptor[] = parameterNames.map((key) => ({
  key,
  ...describedParameters[key],
}))

export const parameterLabels = Object.fromEntries(
  parameterDescriptors.map(({ key, label }) => [key, label]),
  // The list has every parameter once.
) as Record<ParameterName, string>

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(furtherParameters, name)
}

export function isParameterName(name: string): name is ParameterName {
  return Object.hasOwn(all, name)
}

/** The parameters of every request; null = not sent, the model's default. */
export const ModelParameters = storedObject(requestParameters)
export type ModelParameters = z.infer<typeof ModelParameters>

/** The further parameters; null = not sent, the model's default. */
export const ConfigurationOptions = storedObject(furtherParameters)
export type ConfigurationOptions = z.infer<typeof ConfigurationOptions>

/** All parameters of a configuration, as its one column has them. */
export const ConfigurationParameters = ModelParameters.extend(ConfigurationOptions.shape)
export type ConfigurationParameters = ModelParameters & ConfigurationOptions

export const defaultModelParameters: ModelParameters = ModelParameters.parse({})
export const defaultOptions: ConfigurationOptions = ConfigurationOptions.parse({})
export const defaultParameters: ConfigurationParameters = {
  ...defaultModelParameters,
  ...defaultOptions,
}

/** The input schemas of the parameters of every request. */
export const requestParameterSchemas = schemasOf(requestParameters)

/** A change of the options; a field that is left out stays. */
export const OptionChanges = z.strictObject(schemasOf(furtherParameters)).partial()
export type OptionChanges = z.infer<typeof OptionChanges>

/** The input schema of each parameter. */
export const parameterSchemas = schemasOf(all)

type ModelParameterName = {
  [K in ParameterName]: All[K]['wires'] extends null ? never : K
}[ParameterName]

/** Parameters that not every model takes. */
export const ModelParameter = z.enum(
  parameterNames.filter((name): name is ModelParameterName => all[name].wires !== null),
)
export type ModelParameter = z.infer<typeof ModelParameter>

/** Those that choose among the next tokens: what refuses one of them refuses all. */
export const samplingParameters: readonly ModelParameter[] = ModelParameter.options.filter(
  (name) => describedParameters[name].sampling,
)

/** Parameters as a form, the API and versions have them: those of requests by themselves, the others together. */
type Grouped = Partial<ModelParameters> & { options?: OptionChanges | undefined }

/** Returns the parameters of a form, or of a change of one, side by side. What it leaves out is left out. */
export function parametersIn(form: Grouped): Partial<ConfigurationParameters> {
  const options = Object.entries(form.options ?? {}).filter(([, value]) => value !== undefined)
  return { ...pick(form, requestParameterNames), ...Object.fromEntries(options) }
}

/** Returns the parameters in groups; `options` is present when one of them is. */
export function inGroups(parameters: Partial<ConfigurationParameters>) {
  const options = pick(parameters, optionNames)
  return {
    ...pick(parameters, requestParameterNames),
    ...(Object.keys(options).length > 0 && { options }),
  }
}

/** Returns parameters in the form that a database keeps. */
export function storedParameters<P extends { outputSchema: JsonObject | null }>(parameters: P) {
  return { ...parameters, outputSchema: storedSchema(parameters.outputSchema) }
}

/** Returns a parameter as a person types it; "" for null and for an empty list. */
export function parameterText(key: ParameterName, parameters: ConfigurationParameters): string {
  const value: unknown = parameters[key]
  const { control } = describedParameters[key]
  if (value === null) return ''
  switch (control.type) {
    case 'choice':
      return control.choices.find((each) => each.value === value)?.text ?? ''
    case 'tool-choice':
      return typeof value === 'object' && 'tool' in value ? `tool:${value.tool}` : String(value)
    case 'switch':
      return value ? 'on' : 'off'
    case 'list':
      return Array.isArray(value) ? value.join(', ') : ''
    case 'lines':
      return Array.isArray(value) ? value.map(escapeLineEnds).join('\n') : ''
    case 'json':
      return JSON.stringify(value, null, 2)
    case 'text':
    case 'number':
      return String(value)
    default:
      return control satisfies never
  }
}

/**
 * Reads what a person typed, for the schema of the parameter to check: "" and `default` give its default value, and what
 * cannot be read stays text, which the schema refuses.
 */
export function readParameter(key: ParameterName, typed: string): unknown {
  const text = typed.trim()
  const { control } = describedParameters[key]
  if (text === '') return defaultParameters[key]
  if (control.type === 'lines') return typed.split('\n').filter(Boolean).map(unescapeLineEnds)
  if (text === 'default') return defaultParameters[key]
  switch (control.type) {
    case 'choice':
      return control.choices.find((each) => each.text === text)?.value ?? text
    case 'tool-choice':
      return text.startsWith('tool:') ? { tool: text.slice('tool:'.length).trim() } : text
    case 'switch':
      return text === 'on' ? true : text === 'off' ? false : text
    case 'number':
      return (control.codec === 'count' ? parseCount(text) : parseDecimal(text)) ?? text
    case 'list':
      return text === 'none' ? [] : text.split(',').map((each) => each.trim())
    case 'json':
      return text === 'none' ? null : jsonOrText(text)
    case 'text':
      return text
    default:
      return control satisfies never
  }
}

/** Returns what to write instead of a text that should be a number; null where the text is one, or any text is fine. */
export function figureFault(key: ParameterName, typed: string): string | null {
  const { control } = describedParameters[key]
  if (control.type !== 'number' || typeof readParameter(key, typed) !== 'string') return null
  return `Give a number such as ${control.example}.`
}

/** Returns a schema as a person types it; "" for null. */
export function schemaText(outputSchema: JsonObject | null): string {
  return parameterText('outputSchema', { ...defaultParameters, outputSchema })
}

/** Reads what a person typed as a schema: null = nothing, undefined = it is no JSON object. */
export function readSchema(typed: string): JsonObject | null | undefined {
  return JsonObject.nullable().safeParse(readParameter('outputSchema', typed)).data
}

/** Returns a parameter in words. */
export function parameterWords(key: ParameterName, parameters: ConfigurationParameters): string {
  const value: unknown = parameters[key]
  const { control, unset } = describedParameters[key]
  if (value === null) return unset
  switch (control.type) {
    case 'choice':
    case 'tool-choice': {
      const label = control.choices.find((each) => each.value === value)?.label
      return label ?? parameterText(key, parameters).replace(/^tool:/, 'Must call ')
    }
    case 'list':
    case 'lines':
      return parameterList(key, parameters).join(', ') || unset
    case 'number':
      return control.codec === 'count' ? formatCount(Number(value)) : String(value)
    case 'json':
      return JSON.stringify(value)
    case 'switch':
    case 'text':
      return parameterText(key, parameters)
    default:
      return control satisfies never
  }
}

/** Returns the parameters that differ from their default, in the order of the form. */
export function parametersThatAreSet(parameters: ConfigurationParameters): ParameterDescriptor[] {
  return parameterDescriptors.filter(
    ({ key }) => parameterText(key, parameters) !== parameterText(key, defaultParameters),
  )
}

/** Returns a parameter that is a list as people read its entries. */
export function parameterList(key: ParameterName, parameters: ConfigurationParameters): string[] {
  const value: unknown = parameters[key]
  const { control } = describedParameters[key]
  if (!Array.isArray(value)) return []
  if (control.type === 'lines') return value.map((text) => JSON.stringify(text))
  if (control.type !== 'list') return []
  return value.map((each) => control.choices.find(({ text }) => text === each)?.label ?? each)
}

function escapeLineEnds(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function unescapeLineEnds(text: string): string {
  return text.replace(/\\(n|\\)/g, (_, letter) => (letter === 'n' ? '\n' : '\\'))
}

/** Returns the fields that are present and not undefined, in the order of `fields`. */
export function pick<T extends object, F extends keyof T>(
  from: T,
  fields: readonly F[],
): { [K in F]: T[K] } {
  const entries = fields.flatMap((field) =>
    from[field] === undefined ? [] : [[field, from[field]] as const],
  )
  // Every required field of T is there; the compiler does not follow Object.fromEntries.
  return Object.fromEntries(entries) as { [K in F]: T[K] }
}

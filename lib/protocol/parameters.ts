import { z } from 'zod'
import { type Described, furtherParameters, requestParameters } from './parameter-descriptors'
import { type JsonObject, storedSchema } from './parameter-values'
import { pick } from './pick'

type Fields = Readonly<Record<string, Described>>
type All = typeof requestParameters & typeof furtherParameters

export type ParameterName = keyof All
export type RequestParameterName = keyof typeof requestParameters
export type OptionName = keyof typeof furtherParameters
export type ParameterDescriptor = Described & { key: ParameterName }

/** Returns a schema of what is stored; what is missing has its usual value. */
function storedObject<F extends Fields>(fields: F) {
  const shape = Object.entries(fields).map(([key, { schema, stored = schema, usual }]) => [
    key,
    stored.default(usual),
  ])
  // Object.fromEntries forgets which schema belongs to which key.
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodObject<{
    [K in keyof F]: z.ZodDefault<F[K]['schema']>
  }>
}

/** Returns the schemas of what may be set. */
function schemasOf<F extends Fields>(fields: F) {
  const shape = Object.entries(fields).map(([key, { schema }]) => [key, schema])
  // The same.
  return Object.fromEntries(shape) as { [K in keyof F]: F[K]['schema'] }
}

// The keys of the two lists are all there are; Object.keys forgets that.
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

/** What every request is made with; null = not sent, the model's default. */
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

/** What may be set of the parameters of every request. */
export const requestParameterSchemas = schemasOf(requestParameters)

/** What is changed of the options; a field that is left out stays. */
export const OptionChanges = z.strictObject(schemasOf(furtherParameters)).partial()
export type OptionChanges = z.infer<typeof OptionChanges>

/** What may be set of each parameter. */
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

/** The way back: `options` is there when one of them is. */
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

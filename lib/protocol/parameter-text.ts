import { parseCount, parseDecimal } from './codecs'
import { formatCount } from './format'
import { JsonObject } from './parameter-values'
import {
  type ConfigurationParameters,
  defaultParameters,
  describedParameters,
  type ParameterDescriptor,
  type ParameterName,
  parameterDescriptors,
} from './parameters'

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
 * Reads what a person typed, for the schema of the parameter to check: "" and `default` give its usual value, and what
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
      return text === 'none' ? null : jsonIn(text)
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

/** Returns the parameters that are set otherwise than usual, in the order of the form. */
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function escapeLineEnds(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function unescapeLineEnds(text: string): string {
  return text.replace(/\\(n|\\)/g, (_, letter) => (letter === 'n' ? '\n' : '\\'))
}

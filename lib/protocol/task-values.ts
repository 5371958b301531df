import { cleanText } from './clean-text'
import type { TaskValues, TaskVariable } from './task-variable'
import { usualMaxLength } from './task-variable'

/** `texts` has each variable's value as it goes into the prompt; `errors` has one sentence for each that cannot. */
export type CheckedValues = { texts: Map<string, string>; errors: Map<string, string> }

/** Every variable with its value, or its default where nothing was given. Values without a variable are errors. */
export function checkTaskValues(
  variables: readonly TaskVariable[],
  values: TaskValues,
): CheckedValues {
  const given = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]))
  const known = new Set(variables.map(({ name }) => name))
  const checked: CheckedValues = { texts: new Map(), errors: new Map() }
  for (const name of given.keys()) {
    if (!known.has(name)) checked.errors.set(name, unknown(name, variables))
  }
  for (const variable of variables) {
    const text = textOf(variable, given.get(variable.name) ?? '')
    const error = errorOf(variable, text)
    if (error === null) checked.texts.set(variable.name, text)
    else checked.errors.set(variable.name, error)
  }
  return checked
}

/** What a form begins with. */
export function initialValues(variables: readonly TaskVariable[]): Record<string, string> {
  return Object.fromEntries(
    variables.map(({ name, type, default: usual }) => [
      name,
      type === 'boolean' ? usual || 'false' : usual,
    ]),
  )
}

/** Why a default cannot stand, or null; none at all always can. */
export function defaultError(variable: TaskVariable): string | null {
  if (variable.default === '') return null
  return errorOf(variable, textOf(variable, variable.default))
}

function textOf({ type, default: usual }: TaskVariable, value: string): string {
  const isText = type === 'text' || type === 'long-text'
  const wanted = value.trim() === '' ? usual : value
  const text = isText ? cleanText(wanted) : wanted.trim()
  return type === 'boolean' && text === '' ? 'false' : text
}

function errorOf(variable: TaskVariable, text: string): string | null {
  const { type, required, options } = variable
  if (text.trim() === '') return required ? 'Enter a value.' : null
  const max = variable.maxLength ?? usualMaxLength[type]
  if (text.length > max) {
    return `At most ${max.toLocaleString('en')} characters. This value has ${text.length.toLocaleString('en')}.`
  }
  switch (type) {
    case 'text':
      return /[\n\r]/.test(text) ? 'Enter one line only.' : null
    case 'long-text':
      return null
    case 'number':
      return isNumber(text) ? null : 'Enter a number, such as 12 or -0.5.'
    case 'boolean':
      return text === 'true' || text === 'false' ? null : 'Enter true or false.'
    case 'choice':
      return options.includes(text) ? null : `One of: ${options.join(', ').slice(0, 300)}.`
    case 'date':
      return isDate(text) ? null : 'Enter a valid date, such as 2026-12-31.'
    default:
      return type satisfies never
  }
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

function unknown(name: string, variables: readonly TaskVariable[]): string {
  const names = variables.map((variable) => variable.name).join(', ')
  const known = names === '' ? 'It has no variables.' : `Its variables are: ${names}.`
  return `The task has no variable "${name.slice(0, 60)}". ${known}`
}

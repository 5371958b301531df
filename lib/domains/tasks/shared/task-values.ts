import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { cleanText } from '@/lib/words/clean-text'
import { formatCount } from '@/lib/words/format'
import { defaultMaxLength, type TaskValues, type TaskVariable, TaskVariableName } from './task-form'

/** A prompt in pieces: text as it is, and places where a variable's value goes. */
type TemplatePart = { type: 'text'; text: string } | { type: 'variable'; name: string }

/** `faults` are sentences about places that cannot be understood; each stands in `parts` as the text it is. */
export type Template = { parts: TemplatePart[]; faults: string[] }

/** The most faults that are reported. */
const maxFaults = 10
const marker = /\{\{\{\{|\{\{([^{}]*)\}\}|\{\{/g

/**
 * Reads `{{name}}` as a variable and `{{{{` as two braces; everything else is text, single braces and `}}` too.
 * Linear in the text.
 */
export function parseTemplate(prompt: string): Template {
  const parts: TemplatePart[] = []
  const faults: string[] = []
  let from = 0
  for (const match of prompt.matchAll(marker)) {
    addText(parts, prompt.slice(from, match.index))
    from = match.index + match[0].length
    if (match[0] === '{{{{') {
      addText(parts, '{{')
      continue
    }
    const name = TaskVariableName.safeParse(match[1] ?? '')
    if (name.success) {
      parts.push({ type: 'variable', name: name.data })
      continue
    }
    addText(parts, match[0])
    if (faults.length < maxFaults) faults.push(faultOf(prompt, match.index))
  }
  addText(parts, prompt.slice(from))
  return { parts, faults }
}

/** Returns the names in a prompt, each once, in the order of their first place. */
export function templateNames({ parts }: Template): string[] {
  return [...new Set(parts.flatMap((part) => (part.type === 'variable' ? [part.name] : [])))]
}

/** Returns text that a template renders unchanged. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('{{', '{{{{')
}

function addText(parts: TemplatePart[], text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.type === 'text') last.text += text
  else parts.push({ type: 'text', text })
}

function faultOf(prompt: string, at: number): string {
  const line = prompt.slice(0, at).split('\n').length
  const excerpt = prompt.slice(at, at + 30).split('\n')[0]
  return (
    `Line ${line}: "${excerpt}" is not a variable. Write {{name}}. A name begins with a letter and contains only ` +
    'letters, digits and _. For two braces as text, write {{{{.'
  )
}

/** `texts` has each variable's value as it goes into the prompt; `errors` has one sentence for each that cannot. */
type CheckedValues = { texts: Map<string, string>; errors: Map<string, string> }

/** Returns every variable with its value, or its default where none was given. Values without a variable are errors. */
function checkTaskValues(variables: readonly TaskVariable[], values: TaskValues): CheckedValues {
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

/** Returns the first values of a form. */
export function initialValues(variables: readonly TaskVariable[]): Record<string, string> {
  return Object.fromEntries(
    variables.map(({ name, type, default: defaultValue }) => [
      name,
      type === 'boolean' ? defaultValue || 'false' : defaultValue,
    ]),
  )
}

/** Returns why a default is invalid, or null. No default is always valid. */
function defaultError(variable: TaskVariable): string | null {
  if (variable.default === '') return null
  return errorOf(variable, textOf(variable, variable.default))
}

function textOf({ type, default: defaultValue }: TaskVariable, value: string): string {
  const isText = type === 'text' || type === 'long-text'
  const wanted = value.trim() === '' ? defaultValue : value
  const text = isText ? cleanText(wanted) : wanted.trim()
  return type === 'boolean' && text === '' ? 'false' : text
}

function errorOf(variable: TaskVariable, text: string): string | null {
  const { type, required, options } = variable
  if (text.trim() === '') return required ? 'Enter a value.' : null
  const max = variable.maxLength ?? defaultMaxLength[type]
  if (text.length > max) {
    return `At most ${formatCount(max)} characters. This value has ${formatCount(text.length)}.`
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

/** Names the prompt uses without a row for them, and rows that the prompt does not use. */
export type VariableGaps = { missing: string[]; unused: string[] }

export function variableGaps(prompt: string, variables: readonly { name: string }[]): VariableGaps {
  const used = templateNames(parseTemplate(prompt))
  const rows = variables.map(({ name }) => name)
  return {
    missing: used.filter((name) => !rows.includes(name)),
    unused: rows.filter((name) => name !== '' && !used.includes(name)),
  }
}

/**
 * Returns what is wrong with a task's prompt and variables together, by field (`prompt`, `variables.0.default`); empty
 * = nothing. A task that passes can only fail later by its values.
 */
export function checkTaskVariables(
  prompt: string,
  variables: readonly TaskVariable[],
): Map<string, string> {
  const errors = new Map<string, string>()
  const [fault] = parseTemplate(prompt).faults
  const { missing, unused } = variableGaps(prompt, variables)
  if (fault !== undefined) errors.set('prompt', fault)
  else if (missing.length > 0) {
    errors.set(
      'prompt',
      `The prompt uses ${listed(missing)}, which no variable defines. Add a variable, or write {{{{ if you mean two braces as text.`,
    )
  }
  const names = new Set<string>()
  for (const [index, variable] of variables.entries()) {
    for (const [field, sentence] of variableErrors(variable, names, unused)) {
      errors.set(`variables.${index}.${field}`, sentence)
    }
    names.add(variable.name)
  }
  return errors
}

function variableErrors(
  variable: TaskVariable,
  names: ReadonlySet<string>,
  unused: readonly string[],
): [field: string, sentence: string][] {
  const { name, type, options } = variable
  const found: [string, string][] = []
  if (names.has(name)) found.push(['name', 'Another variable has this name.'])
  else if (unused.includes(name)) {
    found.push([
      'name',
      `The prompt does not use this variable. Write {{${name}}} in the prompt, or remove the variable.`,
    ])
  }
  if (type === 'choice' && options.length === 0)
    found.push(['options', 'Give at least one option.'])
  if (new Set(options).size < options.length) found.push(['options', 'An option appears twice.'])
  const wrong = defaultError(variable)
  if (wrong !== null) found.push(['default', wrong])
  return found
}

function listed(names: readonly string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ')
}

/** `errors` has one sentence a variable; "" is the prompt as a whole. */
export type RenderedTask =
  | { type: 'rendered'; prompt: string; texts: ReadonlyMap<string, string> }
  | { type: 'invalid'; errors: ReadonlyMap<string, string> }

/**
 * Returns the prompt of a task with its values. Each value is inserted once as text: what looks like a variable in it
 * stays unchanged. Every place needs a variable and every required variable a value; nothing is left out silently.
 */
export function renderTask(
  task: { prompt: string; variables: readonly TaskVariable[] },
  values: TaskValues,
): RenderedTask {
  const template = parseTemplate(task.prompt)
  const { texts, errors } = checkTaskValues(task.variables, values)
  const fault = template.faults[0] ?? undeclared(template, task.variables)
  if (fault) errors.set('', fault)
  if (errors.size > 0) return { type: 'invalid', errors }
  const prompt = fill(template, texts)
  if (prompt.length > maxPromptCharacters) {
    return invalid('With these values the prompt is longer than 200,000 characters. Shorten them.')
  }
  if (prompt.trim() === '') return invalid('With these values the prompt is empty.')
  return { type: 'rendered', prompt, texts }
}

/**
 * Returns the prompt with the values so far, and the names of missing ones in braces, to be read while it is filled in.
 */
export function previewTask(
  { prompt, variables }: { prompt: string; variables: readonly TaskVariable[] },
  values: TaskValues,
): string {
  const { texts } = checkTaskValues(variables, values)
  return fill(parseTemplate(prompt), texts)
}

function fill({ parts }: Template, texts: ReadonlyMap<string, string>): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : (texts.get(part.name) ?? hole(part.name))))
    .join('')
}

function hole(name: string): string {
  return `{{${name}}}`
}

function undeclared({ parts }: Template, variables: readonly TaskVariable[]): string | undefined {
  const known = new Set(variables.map(({ name }) => name))
  const missing = parts.find((part) => part.type === 'variable' && !known.has(part.name))
  return missing?.type === 'variable'
    ? `The prompt uses {{${missing.name}}}, which is not a variable of the task.`
    : undefined
}

function invalid(sentence: string): RenderedTask {
  return { type: 'invalid', errors: new Map([['', sentence]]) }
}

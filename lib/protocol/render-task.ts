import { parseTemplate, type Template } from './task-template'
import { checkTaskValues } from './task-values'
import type { TaskValues, TaskVariable } from './task-variable'

/** Characters a prompt may have, rendered. */
export const maxPromptCharacters = 200_000

/** `errors` has one sentence a variable; "" is the prompt as a whole. */
export type RenderedTask =
  | { type: 'rendered'; prompt: string; texts: ReadonlyMap<string, string> }
  | { type: 'invalid'; errors: ReadonlyMap<string, string> }

/**
 * The prompt of a task with its values. Each value is text and put in once: what looks like a variable inside of it
 * stays as it is. Every place needs a variable and every required variable a value; nothing is left out silently.
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

/** The prompt with what is there so far, and the names of what is not in braces: for looking at while it is filled in. */
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

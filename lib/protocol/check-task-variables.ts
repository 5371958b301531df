import { parseTemplate, templateNames } from './task-template'
import { defaultError } from './task-values'
import type { TaskVariable } from './task-variable'

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
 * What is wrong with a task's prompt and variables together, by field (`prompt`, `variables.0.default`): a task that
 * passes fails later by its values alone. Empty = nothing.
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

import type { z } from 'zod'

const MAX_ISSUES = 10
const MAX_NAME = 60

/**
 * What is wrong with a call's arguments, as sentences with paths. Never repeats a value that was sent: it may be a
 * secret, or text meant to steer whoever reads it. Names that were sent are shortened and made printable.
 */
export function argumentIssues(
  issues: readonly z.core.$ZodIssue[],
  parameters: Record<string, unknown>,
): string[] {
  const sentences = issues.slice(0, MAX_ISSUES).map((issue) => describe(issue, parameters))
  if (issues.length <= MAX_ISSUES) return sentences
  return [...sentences, `There are ${issues.length - MAX_ISSUES} more problems.`]
}

function describe(issue: z.core.$ZodIssue, parameters: Record<string, unknown>): string {
  const where = pathText(issue.path)
  if (issue.code === 'unrecognized_keys') return unknownNames(issue.keys, where, parameters)
  if (where === '') return sentence(`The arguments are not valid: ${issue.message}`)
  return sentence(`${where}: ${issue.message}`)
}

function unknownNames(keys: string[], where: string, parameters: Record<string, unknown>): string {
  const names = keys.slice(0, MAX_ISSUES).map(printableName).join(', ')
  const verb = keys.length === 1 ? 'is not a parameter' : 'are not parameters'
  if (where !== '') return `${where}: ${names} ${verb} here.`
  const known = Object.keys(Object(parameters.properties))
  const list = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`
  return `${names} ${verb} of this tool: ${list}.`
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? printableName(String(step)) : `${text}.${printableName(String(step))}`
  }, '')
}

function printableName(name: string): string {
  const printable = name.toWellFormed().replace(/[^\p{L}\p{N}_$.\- ]/gu, '?')
  return printable.length <= MAX_NAME ? printable : `${printable.slice(0, MAX_NAME)}…`
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

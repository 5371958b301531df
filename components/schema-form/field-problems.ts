import type { SchemaField } from './schema-fields'

/** Why a tool refused its arguments: by the field that a sentence begins with, and those that begin with none. */
export type FieldProblems = { of: ReadonlyMap<string, readonly string[]>; rest: readonly string[] }

/** Sorts sentences such as "where.country: is required." by field. Those of an inner field begin with its own name. */
export function problemsOf(
  fields: readonly SchemaField[],
  sentences: readonly string[],
): FieldProblems {
  const of = new Map<string, string[]>()
  const rest: string[] = []
  for (const sentence of sentences) {
    const field = fields.find(({ name }) => beginsWith(sentence, name))
    if (!field) rest.push(sentence)
    else of.set(field.name, [...(of.get(field.name) ?? []), innerPart(sentence, field)])
  }
  return { of, rest }
}

function beginsWith(sentence: string, name: string): boolean {
  return sentence.startsWith(name) && /^(:|\.\S|\[)/.test(sentence.slice(name.length))
}

function innerPart(sentence: string, { name, kind }: SchemaField): string {
  const isInner = kind === 'object' && sentence.startsWith(`${name}.`)
  return isInner ? sentence.slice(name.length + 1) : sentence
}

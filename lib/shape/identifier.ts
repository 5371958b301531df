import { z } from 'zod'
import { nameLine } from '@/lib/words/clean-text'
import type { ResourceField } from './field-shape'

/** The name of a person or an object, as people type it: one line, without invisible characters. */
export const Name = z
  .string()
  .overwrite(nameLine)
  .min(1, 'Enter a name.')
  .max(100, 'A name has at most 100 characters.')

/** The field of a name that everybody sees. */
export const nameField = {
  kind: 'text',
  label: 'Name',
  schema: Name,
} as const satisfies ResourceField

/** Maximum length of an identifier. */
export const mostCharacters = 60

/** Also the rule for other short names that people type: keys, folders of files, what models read. */
export const identifierPattern = /^[a-z0-9]+([._-][a-z0-9]+)*$/
export const identifierRule = 'Use lower-case letters and digits, with single . _ - between them'

/** An identifier as older versions stored it. */
export const StoredIdentifier = z
  .string()
  .trim()
  .toLowerCase()
  .max(mostCharacters, `An identifier has at most ${mostCharacters} characters.`)
  .regex(identifierPattern, `${identifierRule}.`)

/** The identifier of a configuration or a task in commands and the API. An id would mean the record that has it. */
export const Identifier = StoredIdentifier.refine(
  (text) => !z.uuid().safeParse(text).success,
  'This has the form of an id. Pick an identifier that people can read.',
)

/** Returns the condition on the record that a text names by its id or its identifier; null = no record can have it. */
export function namedBy(text: string): { id: string } | { identifier: string } | null {
  const id = z.uuid().safeParse(text)
  if (id.success) return { id: id.data }
  const identifier = Identifier.safeParse(text)
  return identifier.success ? { identifier: identifier.data } : null
}

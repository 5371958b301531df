import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { type JsonObject, OutputSchema } from '@/lib/protocol/configuration-options'

/** JSON Schema text, or the path of a file with it. Throws what commander prints. */
export function outputSchemaOption(text: string): JsonObject {
  const json = text.trimStart().startsWith('{') ? text : readSchemaFile(text)
  const checked = OutputSchema.safeParse(parsed(json))
  if (checked.success) return checked.data
  throw new InvalidArgumentError(checked.error.issues.map(({ message }) => message).join(' '))
}

function readSchemaFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new InvalidArgumentError(`There is no readable file ${path}. Give JSON text or a file.`)
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new InvalidArgumentError('This is not valid JSON.')
  }
}

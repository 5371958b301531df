import type { Values } from '@/lib/edge/resource-values'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import type { ResourceField } from '@/lib/shape/field-shape'
import type { ResourceFields } from '@/lib/shape/resource'
import { visibleText } from '@/lib/words/clean-text'
import { readFileOrInput } from './input/read-input'
import { printLine } from './print'

const maxBytes = 512 * 1024

/** The argument of commands that read an object from a file. */
export const documentArgument = { '<file>': 'YAML or JSON; - reads standard input' }

/** Prints an object as the YAML that `readDocument` reads: its fields but the switch, references by what they are called. */
export async function printDocument(fields: ResourceFields, object: Values): Promise<void> {
  const { entriesOf } = await import('@/lib/site-file/references')
  const { stringify } = await import('yaml')
  const said = Object.entries(fields).filter(([, { kind }]) => kind !== 'switch')
  const [document] = await entriesOf(Object.fromEntries(said), [object], nameOf)
  const lines = stringify(document, { lineWidth: 0 }).trimEnd().split('\n')
  printLine(lines.map(visibleText).join('\n'))
}

function nameOf(name: string, field: ResourceField): string {
  return field.kind === 'reference' ? field.as : name
}

/** Reads a file that says an object. Returns the values of its fields, references by their ids. Throws ValidationError. */
export async function readDocument(ctx: Ctx, fields: ResourceFields, path = ''): Promise<Values> {
  const bytes = await readFileOrInput(path, maxBytes)
  const { readYaml } = await import('./input/read-yaml')
  const said = readYaml(bytes)
  if (typeof said !== 'object' || said === null || Array.isArray(said)) {
    throw new ValidationError({ '': 'Give an object.' })
  }
  return (await import('@/lib/site-file/references')).withIds(ctx, fields, { ...said })
}

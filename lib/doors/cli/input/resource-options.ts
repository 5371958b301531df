import { type Command, Option } from 'commander'
import { z } from 'zod'
import type { Values } from '@/lib/edge/resource-values'
import type { Ctx } from '@/lib/kernel/context'
import { readTyped } from '@/lib/shape/field-codec'
import type { ResourceField } from '@/lib/shape/field-shape'
import type { ResourceFields } from '@/lib/shape/resource'

/** Returns the value of a field from the texts of its option, for fields whose control is their own. */
export type OptionReaders = Readonly<Record<string, (texts: readonly string[]) => unknown>>

/**
 * Adds an option for each field. A new object needs those that have no default value; of one that exists, what may be
 * empty is emptied by an option that begins with `--no-`.
 */
export function withFields(made: Command, fields: ResourceFields, isNew: boolean): Command {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'switch' || (field.isFixed && !isNew)) continue
    if (!field.isOfConsole) made.addOption(optionOf(name, field, isNew))
    if (isNew || field.isSecret || emptyOf(field) === undefined) continue
    const help = field.option?.none ?? `no ${field.label.toLowerCase()}`
    made.addOption(new Option(`--no-${kebab(optionName(name, field))}`, help))
  }
  return made
}

function optionOf(name: string, field: ResourceField, isNew: boolean): Option {
  const { help = field.label.toLowerCase() } = field.option ?? {}
  const flag = `--${kebab(optionName(name, field))}`
  if (field.isSecret) return new Option(`${flag}-stdin`, `${help}, from standard input`)
  if (field.isConfirmation) return new Option(flag, help)
  if (field.kind === 'checkbox') return new Option(`${flag} <yes|no>`, help).choices(['yes', 'no'])
  const value = field.option?.value ?? valueWord(field)
  const isMany = field.option?.isMany === true
  const option = new Option(`${flag} <${value}${!isMany && isList(field) ? '...' : ''}>`, help)
  if (isMany) option.argParser((text: string, before: string[] = []) => [...before, text])
  if (field.kind === 'select' || field.kind === 'checkboxes')
    option.choices(field.choices.map((choice) => String(choice.value)))
  return option.makeOptionMandatory(isNew && isRequired(field))
}

function isRequired(field: ResourceField): boolean {
  if (field.kind === 'reference' && field.isCallerByDefault) return false
  return field.defaultValue === undefined && !field.schema.safeParse(undefined).success
}

function isList(field: ResourceField): boolean {
  return field.schema instanceof z.ZodArray || Array.isArray(emptyOf(field))
}

/** Returns what a field has when it is empty: null or no entries; undefined = it is never empty. */
function emptyOf({ schema }: ResourceField): null | [] | undefined {
  if (schema.safeParse(null).success) return null
  return schema.safeParse([]).success ? [] : undefined
}

function valueWord(field: ResourceField): string {
  if (field.kind !== 'reference') return field.kind === 'select' ? 'choice' : 'text'
  return field.to === 'user' ? 'email' : 'name'
}

function optionName(name: string, field: ResourceField): string {
  return field.option?.name ?? (field.kind === 'reference' ? field.as : name)
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * Returns the values of the options that were given, by the names of their fields; references by their ids. Throws
 * ValidationError, and NotFoundError for what a reference names.
 */
export async function readOptions(
  ctx: Ctx,
  fields: ResourceFields,
  options: Values,
  readers: OptionReaders = {},
): Promise<Values> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const option = optionName(name, field)
    const given = options[field.isSecret ? `${option}Stdin` : option]
    if (given === undefined || field.kind === 'switch') continue
    // Without its counterpart, an option that begins with `--no-` is true where it is not given.
    if (field.isOfConsole && given !== false) continue
    const key = field.kind === 'reference' ? field.as : name
    const reader = readers[name]
    if (field.isSecret) values[key] = await readSecret(`the ${field.label.toLowerCase()}`)
    else if (given === false) values[key] = emptyOf(field)
    else if (reader) values[key] = reader([given].flat().map(String))
    else if (field.kind === 'checkbox') values[key] = given === true || given === 'yes'
    else Object.assign(values, readTyped({ [key]: field }, { [key]: given }))
  }
  return withIds(ctx, fields, values)
}

export async function withIds(ctx: Ctx, fields: ResourceFields, given: Values): Promise<Values> {
  return (await import('@/lib/site-file/references')).withIds(ctx, fields, given)
}

async function readSecret(what: string): Promise<string> {
  return (await import('./read-input')).readSecret(what)
}

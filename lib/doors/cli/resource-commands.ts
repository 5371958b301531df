import { type Command, Option } from 'commander'
import type { z } from 'zod'
import type { Ctx } from '@/lib/kernel/context'
import type { Values } from '@/lib/kernel/resource-values'
import type { AnyVerbs, ResourceVerbs } from '@/lib/kernel/resource-verbs'
import { readTyped } from '@/lib/protocol/field-codec'
import type { ResourceField } from '@/lib/protocol/field-shape'
import { onOrOff } from '@/lib/protocol/format'
import {
  type AnyResource,
  type Definition,
  type DetailOf,
  type ListingOf,
  type Resource,
  type ResourceFields,
  untyped,
} from '@/lib/protocol/resource'
import { command } from './command'
import { printLine, printTable } from './print'

const kernel = () => import('@/lib/kernel/resource-verbs')

type Spec<D extends Definition, O> = {
  /** What the objects are: "runs that start at set times". */
  description: string
  /** Commands as one types them, below the help. */
  example?: string
  /** Imports the operations when a command runs, so that help loads none of them. */
  load: () => Promise<ResourceVerbs<D>>
  words: Record<'list' | 'show' | 'add' | 'edit' | 'delete', string>
  /** The columns of the printed list behind the id: their heads, and the texts of their cells. */
  columns: Readonly<Record<string, (row: ListingOf<Resource<D>>) => string>>
  /** Prints what `show` says below the row. */
  print?: (detail: DetailOf<Resource<D>>) => void | Promise<void>
  /** The options of `add` and `edit`, where those made of the fields serve a person less, and what they stand for. */
  own?: {
    options: (made: Command, isNew: boolean) => Command
    /** Returns the values of the fields. `before` null = it is new. */
    read: (
      ctx: Ctx,
      options: O,
      before: DetailOf<Resource<D>> | null,
    ) => Promise<Partial<z.input<Resource<D>['Create']>>>
  }
}

/**
 * Adds the commands of a resource: list, show, add, edit, enable, disable and delete. Its name is the argument of `add`;
 * each other field is an option. Returns the group, for further commands.
 */
export function resourceCommands<D extends Definition, O = Values>(
  program: Command,
  typed: Resource<D>,
  spec: Spec<D, O>,
): Command {
  const group = program.command(typed.noun).description(spec.description)
  if (spec.example) group.addHelpText('after', spec.example)
  const resource = untyped(typed)
  const load = async () => (await kernel()).untypedVerbs(await spec.load())
  // What the spec makes texts of is what the operations of the same resource return.
  addCommands(group, { resource, load, spec: spec as unknown as AnySpec })
  return group
}

type AnySpec = Omit<Spec<Definition, Values>, 'columns' | 'print' | 'load'> & {
  columns: Readonly<Record<string, (row: Values) => string>>
  print?: (detail: Values) => void | Promise<void>
}
type Whole = { resource: AnyResource; load: () => Promise<AnyVerbs>; spec: AnySpec }

function addCommands(group: Command, { resource, load, spec }: Whole): void {
  const { noun, fields, order } = resource
  const { name, ...others } = fields
  const { words, print, own } = spec
  const id = { '<id>': `id of the ${noun}` }
  const printRows = (rows: readonly Values[]) =>
    printTable(
      ['ID', ...Object.keys(spec.columns)],
      rows.map((row) => [
        String(row.id),
        ...Object.values(spec.columns).map((textOf) => textOf(row)),
      ]),
    )
  const show = async (detail: Values) => {
    printRows([detail])
    await print?.(detail)
  }
  command(group, 'list', {
    description: words.list,
    work: async ({ ctx }) => {
      const { rows } = await (await load()).list(ctx, { sort: order })
      return { json: rows, text: () => printRows(rows) }
    },
  })
  command(group, 'show', {
    description: words.show,
    args: id,
    work: async ({ ctx, args: [asked = ''] }) => {
      const found = await (await load()).read(ctx, { id: asked })
      return { json: found, text: () => show(found) }
    },
  })
  command<Values>(group, 'add', {
    description: words.add,
    args: name ? { '<name>': 'its name' } : {},
    reason: true,
    options: (made) => {
      if ('enabled' in fields) made.option('--disabled', 'add it switched off')
      return own ? own.options(made, true) : withFields(made, others, true)
    },
    work: async ({ ctx, args: [called], options }) => {
      const { create, read } = await load()
      const values = await (own ? own.read(ctx, options, null) : readOptions(fields, options))
      const given = { ...values, ...(name && { name: called }) }
      const enabled = 'enabled' in fields && { enabled: !options.disabled }
      const { reason } = options
      const added = await create(ctx, {
        ...(await withIds(ctx, resource, given)),
        ...enabled,
        reason,
      })
      return {
        json: await read(ctx, added),
        text: `Added ${called ?? `the ${noun}`} (${added.id}).`,
      }
    },
  })
  command<Values>(group, 'edit', {
    description: words.edit,
    args: id,
    reason: true,
    options: (made) => {
      if (name) made.option('--name <name>', 'its new name')
      return own ? own.options(made, false) : withFields(made, others, false)
    },
    work: async ({ ctx, args: [asked = ''], options }) => {
      const { update, read } = await load()
      const given = own
        ? await own.read(ctx, options, await read(ctx, { id: asked }))
        : await readOptions(fields, options)
      const { reason } = options
      await update(ctx, { ...(await withIds(ctx, resource, given)), id: asked, reason })
      const after = await read(ctx, { id: asked })
      const text = () => {
        printLine(`Changed the ${noun}:`)
        return show(after)
      }
      return { json: after, text }
    },
  })
  if ('enabled' in fields)
    for (const enabled of [true, false]) addSwitch(group, enabled, { noun, load })
  command(group, 'delete', {
    alias: 'remove',
    description: words.delete,
    args: id,
    reason: true,
    work: async ({ ctx, args: [asked = ''], options: { reason } }) => {
      await (await load()).remove(ctx, { id: asked, reason })
      return { json: { id: asked, removed: true }, text: `Deleted the ${noun}.` }
    },
  })
}

function addSwitch(
  group: Command,
  enabled: boolean,
  { noun, load }: { noun: string } & Pick<Whole, 'load'>,
): void {
  const state = onOrOff(enabled).toLowerCase()
  command(group, enabled ? 'enable' : 'disable', {
    description: `switch a ${noun} ${state}`,
    args: { '<id>': `id of the ${noun}` },
    reason: true,
    work: async ({ ctx, args: [asked = ''], options: { reason } }) => {
      await (await load()).update(ctx, { id: asked, enabled, reason })
      return { json: { id: asked, enabled }, text: `The ${noun} is ${state}.` }
    },
  })
}

async function withIds(ctx: Ctx, { fields }: AnyResource, given: Values): Promise<Values> {
  return (await import('@/lib/site-file/references')).withIds(ctx, fields, given)
}

/** Adds an option for each field. A new object needs those that have no default value. */
function withFields(made: Command, fields: ResourceFields, isNew: boolean): Command {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'switch' || (field.isFixed && !isNew)) continue
    made.addOption(optionOf(name, field, isNew))
  }
  return made
}

function optionOf(name: string, field: ResourceField, isNew: boolean): Option {
  const { help = field.label.toLowerCase() } = field.option ?? {}
  const flag = `--${kebab(optionName(name, field))}`
  if (field.isSecret) return new Option(`${flag}-stdin`, `${help}, from standard input`)
  if (field.kind === 'checkbox') return new Option(`${flag} <yes|no>`, help).choices(['yes', 'no'])
  const value = field.option?.value ?? valueWord(field)
  const option = new Option(`${flag} <${value}${isList(field) ? '...' : ''}>`, help)
  if (field.kind === 'select' || field.kind === 'checkboxes')
    option.choices(field.choices.map((choice) => String(choice.value)))
  return option.makeOptionMandatory(isNew && isRequired(field))
}

function isRequired(field: ResourceField): boolean {
  if (field.kind === 'reference' && field.isCallerByDefault) return false
  return field.defaultValue === undefined
}

function isList(field: ResourceField): boolean {
  return field.kind === 'checkboxes' || (field.kind === 'reference' && field.isMany === true)
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

/** Returns the values of the options that were given, by the names of their fields; of references by what they name. */
async function readOptions(fields: ResourceFields, options: Values): Promise<Values> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const option = optionName(name, field)
    const given = options[field.isSecret ? `${option}Stdin` : option]
    if (given === undefined || field.kind === 'switch') continue
    const key = field.kind === 'reference' ? field.as : name
    if (field.isSecret) values[key] = await readSecret(`the ${field.label.toLowerCase()}`)
    else if (field.kind === 'checkbox') values[key] = given === 'yes'
    else Object.assign(values, readTyped({ [key]: field }, { [key]: given }))
  }
  return values
}

async function readSecret(what: string): Promise<string> {
  return (await import('./read-input')).readSecret(what)
}

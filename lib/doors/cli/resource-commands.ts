import type { Command } from 'commander'
import type { z } from 'zod'
import type { Values } from '@/lib/edge/resource-values'
import type { AnyVerbs, ResourceVerbs } from '@/lib/edge/resource-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { wordsOf } from '@/lib/protocol/nouns'
import {
  type AnyResource,
  calledOf,
  type Definition,
  type DetailOf,
  keyField,
  type ListingOf,
  type Resource,
  untyped,
} from '@/lib/shape/resource'
import { onOrOff } from '@/lib/words/format'
import { command } from './command'
import { type OptionReaders, readOptions, withFields, withIds } from './input/resource-options'
import { printLine, printTable } from './print'

const kernel = () => import('@/lib/edge/resource-verbs')

type Spec<D extends Definition, O> = {
  /** Words for the objects: "runs that start at set times". */
  description: string
  /** Commands as one types them, below the help. */
  example?: string
  /** Imports the operations when a command runs, so that help loads none of them. */
  load: () => Promise<ResourceVerbs<D>>
  /** Without words for `add` and `edit`, the noun has its own. */
  words: Record<'list' | 'show' | 'delete', string> & Partial<Record<'add' | 'edit', string>>
  /**
   * The columns of the printed list behind the id or identifier, what the object is called, and its switch: their heads, and
   * the texts of their cells.
   */
  columns: Readonly<Record<string, (row: ListingOf<Resource<D>>) => string>>
  /** Prints what `show` says below the row. */
  print?: (detail: DetailOf<Resource<D>>) => void | Promise<void>
  /** Prints all that `show` says, in place of the row. */
  show?: (detail: DetailOf<Resource<D>>) => void | Promise<void>
  /** The options of `add` and `edit`, where those made of the fields serve a person less, and what they stand for. */
  own?: {
    /** Further arguments of `add`. */
    args?: Record<string, string>
    options: (made: Command, isNew: boolean) => Command
    /** Returns the values of the fields. `before` null = it is new; `rest`: the further arguments. */
    read: (
      ctx: Ctx,
      options: O,
      before: DetailOf<Resource<D>> | null,
      rest: string[],
    ) => Promise<Partial<z.input<Resource<D>['Create']>>>
    /** Goes on with what was just added, and returns what is printed of that. */
    added?: (ctx: Ctx, id: string, options: O, isJson: boolean) => Promise<() => void>
  }
  /** Readers of option texts, for fields with a control of their own. */
  readers?: OptionReaders
  /** Returns a refusal with the option that helps, where there is one. */
  refused?: (error: ValidationError) => ValidationError
}

/**
 * Adds the commands of a resource: list, show, add, edit, enable, disable and delete. Its name is the argument of `add`,
 * or `--name`; each other field is an option. Objects are named by their ids, or by their names where they have one.
 * Returns the group, for further commands.
 */
export function resourceCommands<D extends Definition, O = Values>(
  program: Command,
  typed: Resource<D>,
  spec: Spec<D, O>,
): Command {
  const group = program.command(wordsOf(typed).one.replace(' ', '-')).description(spec.description)
  if (spec.example) group.addHelpText('after', spec.example)
  const resource = untyped(typed)
  const load = async () => (await kernel()).untypedVerbs(await spec.load())
  // The spec formats the objects that the operations of the same resource return.
  addCommands(group, { resource, load, spec: spec as unknown as AnySpec })
  return group
}

type Print = (detail: Values) => void | Promise<void>
type AnySpec = Omit<Spec<Definition, Values>, 'columns' | 'print' | 'show' | 'load'> & {
  columns: Readonly<Record<string, (row: Values) => string>>
  print?: Print
  show?: Print
}
type Whole = { resource: AnyResource; load: () => Promise<AnyVerbs>; spec: AnySpec }

function addCommands(group: Command, whole: Whole): void {
  const { resource, load, spec } = whole
  const { fields, order } = resource
  const { one: noun } = wordsOf(resource)
  const { words } = spec
  const one = oneOf(resource)
  command(group, 'list', {
    description: words.list,
    work: async ({ ctx }) => {
      const { rows } = await (await load()).list(ctx, { sort: order })
      return { json: rows, text: () => printRows(whole, rows) }
    },
  })
  command(group, 'show', {
    description: words.show,
    args: one,
    work: async ({ ctx, args: [nameOrId = ''] }) => {
      const found = await (await load()).read(ctx, { id: nameOrId })
      return { json: found, text: () => show(whole, found) }
    },
  })
  if (words.add) addAdd(group, whole, words.add)
  if (words.edit) addEdit(group, whole, words.edit)
  if ('enabled' in fields) for (const enabled of [true, false]) addSwitch(group, enabled, whole)
  command(group, 'delete', {
    alias: 'remove',
    description: words.delete,
    args: one,
    reason: true,
    work: async ({ ctx, args: [nameOrId = ''], options: { reason } }) => {
      const { remove, read } = await load()
      const found = namesIn(resource, await read(ctx, { id: nameOrId }))
      await remove(ctx, { id: found.id, reason })
      return { json: { ...found, removed: true }, text: `Deleted the ${noun}.` }
    },
  })
}

function printRows({ resource, spec }: Whole, rows: readonly Values[]): void {
  const { fields } = resource
  const key = 'identifier' in fields ? 'identifier' : 'id'
  const called = 'name' in fields ? 'name' : wordsOf(resource).one
  const columns: AnySpec['columns'] = {
    [key.toUpperCase()]: (row) => String(row[key]),
    [called.toUpperCase()]: (row) => calledOf({ name: row.name, title: row.title }),
    ...('enabled' in fields && {
      STATE: ({ enabled }: Values) => onOrOff(enabled === true).toLowerCase(),
    }),
    ...spec.columns,
  }
  printTable(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((textOf) => textOf(row))),
  )
}

async function show(whole: Whole, detail: Values): Promise<void> {
  if (whole.spec.show) return whole.spec.show(detail)
  printRows(whole, [detail])
  await whole.spec.print?.(detail)
}

/** Returns the values that the options of `add` and `edit` stand for. */
async function valuesOf(
  ctx: Ctx,
  { resource: { fields }, spec: { own, readers } }: Whole,
  options: Values,
  before: Values | null,
  rest: string[] = [],
): Promise<Values> {
  if (!own) return readOptions(ctx, fields, options, readers)
  return withIds(ctx, fields, await own.read(ctx, options, before, rest))
}

function refuse({ refused }: AnySpec, error: unknown): never {
  throw error instanceof ValidationError && refused ? refused(error) : error
}

function addAdd(group: Command, whole: Whole, description: string): void {
  const { resource, load, spec } = whole
  const { fields } = resource
  const { name, ...others } = fields
  const { own } = spec
  command<Values>(group, 'add', {
    description,
    alias: 'create',
    args: { ...(name && { '[name]': 'its name' }), ...own?.args },
    reason: true,
    options: (made) => {
      if (name) made.option('--name <name>', 'its name, instead of the argument')
      if ('enabled' in fields) made.option('--disabled', 'add it switched off')
      return own ? own.options(made, true) : withFields(made, others, true)
    },
    work: async ({ ctx, args, options, isJson }) => {
      const { create, read } = await load()
      const rest = args.flat()
      const called = (name && rest.shift()) ?? options.name ?? ''
      const values = await valuesOf(ctx, whole, options, null, rest)
      const given = { ...values, ...(name && { name: called }) }
      const enabled = 'enabled' in fields && { enabled: !options.disabled }
      const { reason } = options
      const added = await create(ctx, { ...given, ...enabled, reason }).catch((error) =>
        refuse(spec, error),
      )
      const line = `Added ${name ? called : `the ${wordsOf(resource).one}`} (${added.id}).`
      if (!own?.added) return { json: await read(ctx, added), text: line }
      if (!isJson) printLine(line)
      const text = await own.added(ctx, String(added.id), options, isJson)
      return { json: await read(ctx, added), text }
    },
  })
}

function addEdit(group: Command, whole: Whole, description: string): void {
  const { resource, load, spec } = whole
  const { name, ...others } = resource.fields
  const { own } = spec
  command<Values>(group, 'edit', {
    description,
    alias: 'change',
    args: oneOf(resource),
    reason: true,
    options: (made) => {
      if (name && !name.isFixed) made.option('--name <name>', 'its new name')
      return own ? own.options(made, false) : withFields(made, others, false)
    },
    work: async ({ ctx, args: [nameOrId = ''], options }) => {
      const { update, read } = await load()
      const before = await read(ctx, { id: nameOrId })
      const given = await valuesOf(ctx, whole, options, before)
      const id = String(before.id)
      const { reason } = options
      await update(ctx, { ...given, id, reason }).catch((error) => refuse(spec, error))
      const after = await read(ctx, { id })
      const text = () => {
        printLine(`Changed the ${wordsOf(resource).one}:`)
        return show(whole, after)
      }
      return { json: after, text }
    },
  })
}

function addSwitch(
  group: Command,
  enabled: boolean,
  { resource, load }: Pick<Whole, 'resource' | 'load'>,
): void {
  const { one: noun } = wordsOf(resource)
  const state = onOrOff(enabled).toLowerCase()
  command(group, enabled ? 'enable' : 'disable', {
    description: `switch a ${noun} ${state}`,
    args: oneOf(resource),
    reason: true,
    work: async ({ ctx, args: [nameOrId = ''], options: { reason } }) => {
      const { update, read } = await load()
      const before = await read(ctx, { id: nameOrId })
      const found = namesIn(resource, before)
      await update(ctx, { id: found.id, enabled, reason })
      const changed = before.enabled !== enabled
      return { json: { ...found, enabled, changed }, text: `The ${noun} is ${state}.` }
    },
  })
}

/** Returns the argument that names one object, with its help. */
export function oneOf(resource: Pick<AnyResource, 'noun' | 'nouns' | 'words' | 'fields'>) {
  const { one: noun } = wordsOf(resource)
  const key = keyField(resource.fields)
  const args: Record<string, string> = key
    ? { [`<${noun}>`]: `${key} or id of the ${noun}` }
    : { '<id>': `id of the ${noun}` }
  return args
}

/** Returns what programs tell an object by: its id, and its identifier or name where it has one. */
export function namesIn({ fields }: AnyResource, row: Values): { id: string } & Values {
  const key = keyField(fields)
  return { id: String(row.id), ...(key && { [key]: row[key] }) }
}

import type { Command } from 'commander'
import type { z } from 'zod'
import type { Values } from '@/lib/edge/resource-values'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import type { ListedNoun } from '@/lib/nouns'
import { keysOf, wordsOf } from '@/lib/protocol/nouns'
import { listedFields, listedHead, listedText } from '@/lib/shape/listed-fields'
import {
  type AnyResource,
  calledOf,
  type Definition,
  type DetailOf,
  keyField,
  type ListingOf,
  type Resource,
  type ResourceFields,
} from '@/lib/shape/resource'
import { onOrOff } from '@/lib/words/format'
import { command } from './command'
import { type OptionReaders, readOptions, withFields, withIds } from './input/resource-options'
import { printLine, printTable } from './print'

type Spec<D extends Definition, O> = {
  /** Commands as one types them, below the help. */
  example?: string
  /** Descriptions of commands that say more than those made of the noun's words; null = the noun has a command of its own. */
  words?: Partial<CommandWords>
  /**
   * The columns of the printed list behind the id or identifier, what the object is called, and its switch: their heads, and
   * the texts of their cells. Left out = the fields that lists show.
   */
  columns?: Readonly<Record<string, (row: ListingOf<Resource<D>>) => string>>
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
  /** The changes that may leave calls that nobody could approve. */
  confirms?: readonly ('add' | 'edit' | 'delete')[]
  /** Readers of option texts, for fields with a control of their own. */
  readers?: OptionReaders
  /** Returns a refusal with the option that helps, where there is one. */
  refused?: (error: ValidationError) => ValidationError
  /** Adds further commands to those of the resource. */
  further?: (group: Command) => void
}

type CommandWords = Record<'list' | 'show' | 'delete', string> &
  Record<'add' | 'edit', string | null>

type Print = (detail: Values) => void | Promise<void>

/** A spec for code that works on any resource. */
export type CommandSpec = Omit<Spec<Definition, Values>, 'columns' | 'print' | 'show'> & {
  columns?: Readonly<Record<string, (row: Values) => string>>
  print?: Print
  show?: Print
}

/** Returns a noun's part of its commands: what is not made of its resource. */
export function commandSpec<D extends Definition, O = Values>(
  _of: Resource<D>,
  spec: Spec<D, O>,
): CommandSpec {
  // It formats the objects that the operations of the same resource return.
  return spec as unknown as CommandSpec
}

type NounCommands = ListedNoun & { spec: CommandSpec }

/**
 * Adds the commands of a noun: list, show, add, edit, enable, disable and delete. Its name is the argument of `add`, or
 * `--name`; each other field is an option. Objects are named by their ids, or by their names where they have one.
 */
export function resourceCommands(program: Command, listed: ListedNoun, spec: CommandSpec = {}) {
  const { resource } = listed
  const group = program
    .command(keysOf(resource).one.replaceAll(' ', '-'))
    .description(resource.about ?? `the ${wordsOf(resource).many}`)
  if (spec.example) group.addHelpText('after', spec.example)
  addCommands(group, { ...listed, spec })
  spec.further?.(group)
}

/** Returns the descriptions of the commands, made of the words of the noun. */
function commandWords({ resource, spec }: NounCommands): CommandWords {
  const { one, many } = wordsOf(resource)
  const secrets = Object.values(resource.fields).filter(({ isSecret }) => isSecret)
  const secret = secrets.length === 1 ? secrets[0]?.label.toLowerCase() : 'secrets'
  const comes = secrets.length > 1 ? 'come' : 'comes'
  const withIt = secrets.length > 0 ? ` with its ${secret}` : ''
  return {
    list: `list the ${many}`,
    show: `show a ${one}`,
    add: `add a ${one}${secrets.length > 0 ? `; its ${secret} ${comes} from standard input` : ''}`,
    edit: `change a ${one}; options you leave out keep their value`,
    delete: `delete a ${one}${withIt}`,
    ...spec.words,
  }
}

function addCommands(group: Command, whole: NounCommands): void {
  const { resource, verbs } = whole
  const { confirms = [] } = whole.spec
  const { fields, order } = resource
  const { one: noun } = wordsOf(resource)
  const words = commandWords(whole)
  const one = oneOf(resource)
  command(group, 'list', {
    description: words.list,
    work: async ({ ctx }) => {
      const { rows } = await (await verbs()).list(ctx, { sort: order })
      return { json: rows, text: () => printRows(whole, rows) }
    },
  })
  command(group, 'show', {
    description: words.show,
    args: one,
    work: async ({ ctx, args: [nameOrId = ''] }) => {
      const found = await (await verbs()).read(ctx, { id: nameOrId })
      return { json: found, text: () => show(whole, found) }
    },
  })
  if (words.add !== null) addAdd(group, whole, words.add)
  if (words.edit !== null) addEdit(group, whole, words.edit)
  if ('enabled' in fields) for (const enabled of [true, false]) addSwitch(group, enabled, whole)
  command(group, 'delete', {
    alias: 'remove',
    description: words.delete,
    args: one,
    reason: true,
    confirms: confirms.includes('delete'),
    work: async ({ ctx, args: [nameOrId = ''], options: { reason } }) => {
      const { remove, read } = await verbs()
      const found = namesIn(resource, await read(ctx, { id: nameOrId }))
      await remove(ctx, { id: found.id, reason })
      return { json: { ...found, removed: true }, text: `Deleted the ${noun}.` }
    },
  })
}

type Columns = NonNullable<CommandSpec['columns']>

function printRows({ resource, spec }: NounCommands, rows: readonly Values[]): void {
  const { fields } = resource
  const key = 'identifier' in fields ? 'identifier' : 'id'
  const called = 'name' in fields ? 'name' : wordsOf(resource).one
  const columns: Columns = {
    [key.toUpperCase()]: (row) => String(row[key]),
    [called.toUpperCase()]: (row) => calledOf({ name: row.name, title: row.title }),
    ...('enabled' in fields && {
      STATE: ({ enabled }: Values) => onOrOff(enabled === true).toLowerCase(),
    }),
    ...(spec.columns ?? columnsOf(fields)),
  }
  printTable(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((textOf) => textOf(row))),
  )
}

/** Returns the columns of the fields that lists show. */
function columnsOf(fields: ResourceFields): Columns {
  return Object.fromEntries(
    listedFields(fields).map((named) => [
      listedHead(named[1]).toUpperCase(),
      (row: Values) => listedText(named, row),
    ]),
  )
}

async function show(whole: NounCommands, detail: Values): Promise<void> {
  if (whole.spec.show) return whole.spec.show(detail)
  printRows(whole, [detail])
  await whole.spec.print?.(detail)
}

/** Returns the values that the options of `add` and `edit` stand for. */
async function valuesOf(
  ctx: Ctx,
  { resource: { fields }, spec: { own, readers } }: NounCommands,
  options: Values,
  before: Values | null,
  rest: string[] = [],
): Promise<Values> {
  if (!own) return readOptions(ctx, fields, options, readers)
  return withIds(ctx, fields, await own.read(ctx, options, before, rest))
}

function refuse({ refused }: CommandSpec, error: unknown): never {
  throw error instanceof ValidationError && refused ? refused(error) : error
}

function addAdd(group: Command, whole: NounCommands, description: string): void {
  const { resource, verbs, spec } = whole
  const { fields } = resource
  const { name, ...others } = fields
  const { own } = spec
  command<Values>(group, 'add', {
    description,
    alias: 'create',
    args: { ...(name && { '[name]': name.option?.help ?? 'its name' }), ...own?.args },
    reason: true,
    confirms: spec.confirms?.includes('add') ?? false,
    options: (made) => {
      if (name) made.option('--name <name>', 'its name, instead of the argument')
      if ('enabled' in fields) made.option('--disabled', 'add it switched off')
      return own ? own.options(made, true) : withFields(made, others, true)
    },
    work: async ({ ctx, args, options, isJson }) => {
      const { create, read } = await verbs()
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

function addEdit(group: Command, whole: NounCommands, description: string): void {
  const { resource, verbs, spec } = whole
  const { name, ...others } = resource.fields
  const { own } = spec
  command<Values>(group, 'edit', {
    description,
    alias: 'change',
    args: oneOf(resource),
    reason: true,
    confirms: spec.confirms?.includes('edit') ?? false,
    options: (made) => {
      if (name && !name.isFixed) made.option('--name <name>', 'its new name')
      return own ? own.options(made, false) : withFields(made, others, false)
    },
    work: async ({ ctx, args: [nameOrId = ''], options }) => {
      const { update, read } = await verbs()
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

function addSwitch(group: Command, enabled: boolean, whole: NounCommands): void {
  const { resource, verbs, spec } = whole
  const { one: noun } = wordsOf(resource)
  const state = onOrOff(enabled).toLowerCase()
  command(group, enabled ? 'enable' : 'disable', {
    description: `switch a ${noun} ${state}`,
    args: oneOf(resource),
    reason: true,
    confirms: spec.confirms?.includes('edit') ?? false,
    work: async ({ ctx, args: [nameOrId = ''], options: { reason } }) => {
      const { update, read } = await verbs()
      const before = await read(ctx, { id: nameOrId })
      const found = namesIn(resource, before)
      await update(ctx, { id: found.id, enabled, reason })
      const changed = before.enabled !== enabled
      return { json: { ...found, enabled, changed }, text: `The ${noun} is ${state}.` }
    },
  })
}

/** Returns the argument that names one object, with its help. */
export function oneOf(
  resource: Pick<AnyResource, 'noun' | 'nouns' | 'words' | 'shown' | 'fields'>,
) {
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

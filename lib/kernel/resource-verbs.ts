import { z } from 'zod'
import type { Reference } from '../protocol/field-shape'
import { matchesSearch } from '../protocol/matches-search'
import { type AnyResource, type Definition, type Resource, untyped } from '../protocol/resource'
import { sortParts } from '../protocol/sort-order'
import type { Ctx } from './context'
import { type ChangeTx, db, isUniqueViolation, type Tx } from './db'
import { ConflictError, NotFoundError } from './errors'
import { parseId } from './parse-id'
import {
  auditedFacts,
  differing,
  replacedSecrets,
  requireReferences,
  type Values,
  withCaller,
} from './resource-values'
import { changed, unchanged, type Verb, verb } from './verb'

type Ids = z.ZodObject<{ id: z.ZodString }>

/** The operations on a resource. `whole` of a list: the number without the filter. */
export type ResourceVerbs<D extends Definition> = {
  create: Verb<Resource<D>['Create'], Ids, 'optional'>
  update: Verb<Resource<D>['Update'], z.ZodVoid, 'optional'>
  remove: Verb<Ids, z.ZodVoid, 'optional'>
  list: Verb<
    Resource<D>['Wanted'],
    z.ZodObject<{ rows: z.ZodArray<Resource<D>['Listing']>; whole: z.ZodNumber }>,
    'none'
  >
  read: Verb<Ids, Resource<D>['Detail'], 'none'>
}

type Listing<D extends Definition> = z.output<Resource<D>['Listing']>
type Extras<S> = S extends z.ZodRawShape ? z.output<z.ZodObject<S>> : unknown
type Given<D extends Definition> = { [K in keyof D['fields']]: z.output<D['fields'][K]['schema']> }
type Changes<D extends Definition> = {
  [K in keyof D['fields'] as D['fields'][K] extends { isFixed: true } ? never : K]?: Given<D>[K]
}

/** An object as it is stored: the values of its fields that are no secret, and what references are called. */
type Stored<D extends Definition> = Omit<
  Listing<D>,
  'updatedAt' | (D['listed'] extends z.ZodRawShape ? keyof D['listed'] : never)
> & {
  [K in keyof D['fields'] as D['fields'][K] extends Reference ? K : never]: z.output<
    D['fields'][K]['schema']
  > | null
} & { updatedAt: Date }

type Caller = { ctx: Ctx; tx: ChangeTx }

/** What a resource has of its own: how it is stored, checked and found. */
type Options<D extends Definition, S> = {
  summaries: Record<keyof ResourceVerbs<D>, string>
  /** The most there can be, because lists read all of them. */
  most: number
  store: {
    count: (client: Tx) => Promise<number>
    /** Returns all objects, as lists need them. */
    rows: (client: Tx) => Promise<S[]>
    /** Returns one, as its page needs it; null = there is none. */
    find: (client: Tx, id: string) => Promise<S | null>
    insert: (tx: ChangeTx, values: Given<D> & { createdByLabel: string }) => Promise<{ id: string }>
    write: (tx: ChangeTx, id: string, changes: Changes<D>) => Promise<unknown>
    remove: (tx: ChangeTx, id: string) => Promise<unknown>
  }
  /** Throws what forbids a change; `before` null = it is new. The references of `values` exist. */
  check?: (caller: Caller, values: Partial<Given<D>>, before: S | null) => void | Promise<void>
  /** Called first in a deletion, such as to take locks in the order of others. */
  beforeRemoval?: (tx: ChangeTx, id: string) => Promise<unknown>
  /** Called last in the transaction of each change. */
  touched?: (tx: ChangeTx, id: string) => Promise<unknown>
  /** Returns what the audit stores beside the fields, such as what may be shown of a secret. */
  audited?: (stored: S) => Values
  /** Returns the texts that a search looks at. */
  searched: (row: Listing<D>) => readonly (string | null | undefined)[]
  /** Returns what each order compares. Equal rows are ordered by the first text of `searched`. */
  orders: { [K in D['sorts'][number]]: (row: Listing<D>) => string | number }
} & (D['listed'] extends z.ZodRawShape
  ? {
      /** Returns what lists and the page show beside the fields. */
      listed: (stored: S) => Extras<D['listed']>
    }
  : unknown) &
  (D['detail'] extends z.ZodRawShape
    ? {
        /** Returns what only the page shows. */
        detail: (stored: S) => Extras<D['detail']>
      }
    : unknown) &
  (D['filters'] extends z.ZodRawShape
    ? {
        /** Returns whether a row passes the resource's own filters. */
        fits: (row: Listing<D>, wanted: z.output<Resource<D>['Wanted']>) => boolean
      }
    : unknown)

/**
 * Returns the operations on a resource. They refuse names that are taken, references to what does not exist, and more
 * than the greatest number. The audit stores the fields that are no secret, references by what they are called. A change
 * that also switches the object has two audit rows.
 */
export function resourceVerbs<D extends Definition, S extends Stored<D>>(
  resource: Resource<D>,
  options: Options<D, S>,
): ResourceVerbs<D> {
  // What follows works on any fields. The types of the resource's own are stated by the two signatures alone.
  const made = makeVerbs(untyped(resource), options as unknown as AnyOptions)
  return made as unknown as ResourceVerbs<D>
}

/** The operations on a resource whose fields are not known to the compiler. */
export type AnyVerbs = ReturnType<typeof makeVerbs>

/** Returns the operations for code that works on any resource. */
export function untypedVerbs<D extends Definition>(verbs: ResourceVerbs<D>): AnyVerbs {
  return verbs as unknown as AnyVerbs
}

type AnyRow = Values & { id: string; createdByLabel: string; updatedAt: Date }
type AnyOptions = Options<Definition, AnyRow> & {
  listed?: (stored: AnyRow) => Values
  detail?: (stored: AnyRow) => Values
  fits?: (row: Values, wanted: Values) => boolean
  orders: Readonly<Record<string, (row: Values) => string | number>>
  searched: (row: Values) => readonly (string | null | undefined)[]
}

function makeVerbs(resource: AnyResource, options: AnyOptions) {
  const { noun, nouns, scopes, fields } = resource
  const { summaries, most, store, check, beforeRemoval, touched } = options
  const writing = { role: 'admin', scope: scopes.write, reason: 'optional' } as const
  const reading = { role: 'admin', scope: scopes.read, transaction: false } as const
  const Id = z.object({ id: z.string() })
  const find = async (client: Tx, asked: string) => {
    const row = await store.find(client, parseId(asked, `This ${noun}`))
    if (!row) throw new NotFoundError(`This ${noun}`)
    return row
  }
  const allow = async (caller: Caller, values: Values, before: AnyRow | null) => {
    await requireReferences(caller.tx, fields, values)
    await check?.(caller, values, before)
  }
  const explain = (error: unknown): never => {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError(`Another ${noun} has this name.`, 'name')
  }
  const facts = (row: AnyRow) => ({ ...auditedFacts(fields, row), ...options.audited?.(row) })
  const listingOf = ({ updatedAt, ...row }: AnyRow): Values =>
    resource.Listing.parse({
      ...row,
      ...options.listed?.({ ...row, updatedAt }),
      updatedAt: updatedAt.toISOString(),
    })

  const create = verb({
    ...writing,
    name: `${noun}.create`,
    summary: summaries.create,
    input: resource.Create,
    output: Id,
    run: async ({ ctx, tx, actor }, asked) => {
      if ((await store.count(tx)) >= most) {
        const already = `There are already ${most.toLocaleString('en')} ${nouns}, the maximum.`
        throw new ConflictError(`${already} Delete one first.`)
      }
      const values = withCaller(fields, asked, actor.userId)
      await allow({ ctx, tx }, values, null)
      const row = { ...values, createdByLabel: actor.email }
      const { id } = await store.insert(tx, row).catch(explain)
      await touched?.(tx, id)
      return changed({ id }, { subject: id, after: facts(await find(tx, id)) })
    },
  })
  const update = verb({
    ...writing,
    name: `${noun}.update`,
    summary: summaries.update,
    input: resource.Update,
    audits: [`${noun}.update`, `${noun}.switch-on`, `${noun}.switch-off`],
    run: async ({ ctx, tx }, { id: asked, ...given }) => {
      const before = await find(tx, String(asked))
      const changes = differing(fields, given, before)
      await allow({ ctx, tx }, changes, before)
      if (Object.keys(changes).length === 0) return unchanged(undefined)
      await store.write(tx, before.id, changes).catch(explain)
      await touched?.(tx, before.id)
      const after = await find(tx, before.id)
      // First the other fields, then the switch, so that the audit can be searched for who switched it.
      const { enabled: was } = before
      const between = 'enabled' in changes ? { ...after, enabled: was } : after
      const others = Object.keys(changes).some((field) => field !== 'enabled')
      const replaced = replacedSecrets(fields, changes)
      const subject = before.id
      const action = `${noun}.switch-${after.enabled === true ? 'on' : 'off'}` as const
      return changed(
        undefined,
        ...(others
          ? [{ subject, before: facts(before), after: { ...facts(between), ...replaced } }]
          : []),
        ...(between === after
          ? []
          : [{ subject, action, before: facts(between), after: facts(after) }]),
      )
    },
  })
  const remove = verb({
    ...writing,
    name: `${noun}.delete`,
    summary: summaries.remove,
    input: Id,
    run: async ({ tx }, { id: asked }) => {
      const id = parseId(asked, `This ${noun}`)
      await beforeRemoval?.(tx, id)
      const before = await find(tx, id)
      await store.remove(tx, id)
      await touched?.(tx, id)
      return changed(undefined, { subject: id, before: facts(before), after: null })
    },
  })
  const list = verb({
    ...reading,
    name: `${noun}.list`,
    summary: summaries.list,
    input: resource.Wanted,
    output: z.object({ rows: z.array(resource.Listing), whole: z.number() }),
    run: async (_context, wanted) => {
      const whole = (await store.rows(db())).map(listingOf)
      const found = whole.filter((row) => passes(row, wanted, options))
      return { rows: inOrder(found, String(wanted.sort), options), whole: whole.length }
    },
  })
  const read = verb({
    ...reading,
    name: `${noun}.read`,
    summary: summaries.read,
    input: Id,
    output: resource.Detail,
    run: async (_context, { id }) => {
      const row = await find(db(), id)
      return { ...listingOf(row), ...options.detail?.(row) }
    },
  })
  return { create, update, remove, list, read }
}

function passes(row: Values, wanted: Values, { searched, fits }: AnyOptions): boolean {
  const { search, state } = wanted
  if (state !== undefined && row.enabled !== (state === 'on')) return false
  if (fits && !fits(row, wanted)) return false
  return search === undefined || matchesSearch(String(search), searched(row))
}

function inOrder(rows: Values[], order: string, { orders, searched }: AnyOptions): Values[] {
  const { key, direction } = sortParts(order)
  const way = direction === 'asc' ? 1 : -1
  const compared = rows.map((row) => ({
    row,
    value: orders[key]?.(row) ?? '',
    text: searched(row)[0] ?? '',
  }))
  compared.sort((a, b) => {
    if (a.value === b.value) return a.text.localeCompare(b.text)
    return a.value < b.value ? -way : way
  })
  return compared.map(({ row }) => row)
}

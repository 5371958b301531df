import { z } from 'zod'
import { db, type Tx, withTransaction } from '@/lib/kernel/db'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { type AnyResource, type Definition, type Resource, untyped } from '@/lib/shape/resource'
import { factsOf } from './resource-audit'
import { changesOf, requireCurrent } from './resource-changes'
import type { AnyOptions, AnyRow, ColumnNames, Options, Stored, Writing } from './resource-options'
import { readsOf, whereOf } from './resource-reads'
import { removeSecrets } from './resource-secrets'
import { type Values, withCaller } from './resource-values'
import { changed, type Verb, verb } from './verb'

type Ids = z.ZodObject<{ id: z.ZodString }>

/** The operations on a resource. `total` of a page: the number on all pages; `whole`: the number without the filter. */
export type ResourceVerbs<D extends Definition> = {
  create: Verb<Resource<D>['Create'], Ids, 'optional'>
  update: Verb<
    Resource<D>['Update'],
    D extends { isVersioned: true } ? typeof Saved : z.ZodVoid,
    'optional'
  >
  remove: Verb<Ids, z.ZodVoid, 'optional'>
  list: Verb<
    Resource<D>['Wanted'],
    z.ZodObject<{ rows: z.ZodArray<Resource<D>['Listing']>; whole: z.ZodNumber }>,
    'none'
  >
  page: Verb<
    Resource<D>['Filter'],
    z.ZodObject<{
      rows: z.ZodArray<Resource<D>['Listing']>
      total: z.ZodNumber
      whole: z.ZodNumber
    }>,
    'none'
  >
  read: Verb<Ids, Resource<D>['Detail'], 'none'>
}

/**
 * Returns the operations on a resource. They refuse names that are taken, references to what does not exist, and more
 * than the greatest number. The audit stores the fields that are no secret, references by what they are called. A change
 * that also switches the object has two audit rows.
 */
export function resourceVerbs<
  D extends Definition,
  S extends Stored<D>,
  const M extends ColumnNames = Record<never, never>,
  const P extends Writing = never,
>(resource: Resource<D>, options: Options<D, S, M, P>): ResourceVerbs<D> {
  // The code below works on any fields. Only the two signatures state the types of the resource's own.
  const made = makeVerbs(untyped(resource), options as unknown as AnyOptions)
  return made as unknown as ResourceVerbs<D>
}

/** The operations on a resource whose fields are not known to the compiler. */
export type AnyVerbs = ReturnType<typeof makeVerbs>

/** Returns the operations for code that works on any resource. */
export function untypedVerbs<D extends Definition>(verbs: ResourceVerbs<D>): AnyVerbs {
  return verbs as unknown as AnyVerbs
}

/** Returns what operations that change something have in common. */
export function writingOf(
  { scopes }: AnyResource,
  { needsReauthentication, mayEndApproval = [], mayBreakCases = [] }: AnyOptions,
  of: Writing,
) {
  return {
    role: 'admin',
    scope: scopes.write,
    reason: 'optional',
    transaction: 'later',
    ...(needsReauthentication && { needsReauthentication: () => true }),
    mayEndApproval: mayEndApproval.includes(of),
    mayBreakCases: mayBreakCases.includes(of),
  } as const
}

/** Returns the transaction of an operation: the one with the policy lock for what may alter a decision. */
export function transactionOf(options: AnyOptions, of: Writing): typeof withTransaction {
  return options.changesPolicy?.includes(of) ? changePolicy : withTransaction
}

/** Result of a change with versions: the current version. */
export const Saved = z.object({ version: z.int(), changed: z.boolean() })

function savedOf({ isVersioned }: AnyResource): { output?: z.ZodType } {
  return isVersioned ? { output: Saved } : {}
}

/** Returns what says of each operation whether only a person does it; null = any caller with the rights may. */
function personsActsOf(
  { personsAct }: AnyOptions,
  find: (client: Tx, idOrName: string) => Promise<AnyRow>,
) {
  if (!personsAct) return null
  return {
    create: {
      personsAct: (values: Values, client: Tx) => personsAct({ values, before: null }, client),
    },
    update: {
      personsAct: async ({ id, ...values }: Values, client: Tx) =>
        personsAct({ values, before: await find(client, String(id)) }, client),
    },
    remove: {
      personsAct: async ({ id }: { id: string }, client: Tx) =>
        personsAct({ values: null, before: await find(client, id) }, client),
    },
  }
}

export const Id = z.object({ id: z.string() })

export function makeVerbs(resource: AnyResource, options: AnyOptions) {
  const reads = readsOf(resource, options)
  const known = { find: reads.find, acts: personsActsOf(options, reads.find) }
  return {
    ...savingVerbs(resource, options, known),
    remove: removingVerb(resource, options, known),
    ...readingVerbs(resource, options, reads),
  }
}

type Reads = ReturnType<typeof readsOf>
type Known = Pick<Reads, 'find'> & { acts: ReturnType<typeof personsActsOf> }

function savingVerbs(resource: AnyResource, options: AnyOptions, { find, acts }: Known) {
  const { noun, fields, isVersioned } = resource
  const { summaries, prepare } = options
  const { insert, write } = changesOf(resource, options)
  const actions = (...acts: string[]) => acts.map((act) => `${noun}.${act}`)
  const switches = 'enabled' in fields ? actions('switch-on', 'switch-off') : []
  const create = verb({
    ...writingOf(resource, options, 'create'),
    ...acts?.create,
    name: `${noun}.create`,
    summary: summaries.create,
    input: resource.Create,
    output: Id,
    audits: actions('create'),
    run: async ({ ctx, actor, reason, change }, input) => {
      const values = withCaller(fields, input, actor.userId)
      await prepare?.(values, null)
      return change(
        (tx) => insert({ ctx, tx }, values, { reason }),
        transactionOf(options, 'create'),
      )
    },
  })
  const update = verb({
    ...writingOf(resource, options, 'update'),
    ...acts?.update,
    name: `${noun}.update`,
    summary: summaries.update,
    input: resource.Update,
    ...savedOf(resource),
    audits: [...actions('update'), ...switches],
    run: async ({ ctx, reason, change }, { id: idOrName, updatedAt, version, ...given }) => {
      if (prepare) await prepare(given, await find(db(), String(idOrName)))
      const saved = await change(
        async (tx) => {
          const before = await find(tx, String(idOrName))
          requireCurrent(resource, before, { updatedAt, version })
          return write({ ctx, tx }, before, given, { reason })
        },
        transactionOf(options, 'update'),
      )
      return isVersioned ? saved : undefined
    },
  })
  return { create, update }
}

function removingVerb(resource: AnyResource, options: AnyOptions, { find, acts }: Known) {
  const { noun, isVersioned } = resource
  const { summaries, store, beforeRemoval, touched } = options
  const whole = { resource, options }
  return verb({
    ...writingOf(resource, options, 'remove'),
    ...acts?.remove,
    name: `${noun}.delete`,
    summary: summaries.remove,
    input: Id,
    run: async ({ ctx, change }, { id: idOrName }) => {
      await change(
        async (tx) => {
          const id = whereOf(resource, idOrName).id ?? (await find(tx, idOrName)).id
          await beforeRemoval?.(tx, id)
          const before = await find(tx, id)
          const last = isVersioned && { version: before.version }
          const lost = { ...factsOf(whole, before), ...last, ...options.lost?.(before) }
          await store.remove({ ctx, tx }, before)
          await removeSecrets(tx, whole, before)
          await touched?.(tx, id)
          return changed(undefined, { subject: id, before: lost, after: null })
        },
        transactionOf(options, 'remove'),
      )
    },
  })
}

function readingVerbs(
  resource: AnyResource,
  options: AnyOptions,
  { listingOf, readList, find }: Reads,
) {
  const { noun, scopes } = resource
  const { summaries } = options
  const reading = { role: 'admin', scope: scopes.read, transaction: false } as const
  const list = verb({
    ...reading,
    name: `${noun}.list`,
    summary: summaries.list,
    input: resource.Wanted,
    output: z.object({ rows: z.array(resource.Listing), whole: z.number() }),
    run: (_context, wanted) => readList(wanted, null),
  })
  const page = verb({
    ...reading,
    name: `${noun}.list`,
    summary: summaries.list,
    input: resource.Filter,
    output: z.object({ rows: z.array(resource.Listing), total: z.number(), whole: z.number() }),
    run: (_context, { page: at, pageSize, ...wanted }) => {
      const take = Number(pageSize)
      return readList(wanted, { skip: (Number(at) - 1) * take, take })
    },
  })
  const read = verb({
    ...reading,
    name: `${noun}.read`,
    summary: summaries.read,
    input: Id,
    output: resource.Detail,
    run: async ({ ctx }, { id }) => {
      const row = await find(db(), id)
      return { ...listingOf(row), ...(await options.detail?.(row, ctx)) }
    },
  })
  return { list, page, read }
}

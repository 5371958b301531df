import { z } from 'zod'
import { Name } from '../protocol/identifier'
import { didYouMean } from '../protocol/nearest-name'
import {
  type AnyResource,
  type Definition,
  type Resource,
  untyped,
  wordsOf,
} from '../protocol/resource'
import { unfitFields } from '../protocol/resource-parts'
import { db, isUniqueViolation, type Tx, withTransaction } from './db'
import { ConflictError, NotFoundError, ValidationError } from './errors'
import { parseId } from './parse-id'
import { changePolicy } from './policy-lock'
import type {
  AnyOptions,
  AnyRow,
  Caller,
  ColumnNames,
  Options,
  Stored,
  Writing,
} from './resource-options'
import { listReader } from './resource-rows'
import { keepSecrets, removeSecrets, storedSecrets } from './resource-secrets'
import {
  auditedFacts,
  differing,
  partConfirmations,
  replacedSecrets,
  requireReferences,
  type Values,
  withCaller,
} from './resource-values'
import { changed, unchanged, type Verb, verb } from './verb'

type Ids = z.ZodObject<{ id: z.ZodString }>

/** The operations on a resource. `total` of a page: the number on all pages; `whole`: the number without the filter. */
export type ResourceVerbs<D extends Definition> = {
  create: Verb<Resource<D>['Create'], Ids, 'optional'>
  update: Verb<Resource<D>['Update'], z.ZodVoid, 'optional'>
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

function makeVerbs(resource: AnyResource, options: AnyOptions) {
  const { noun, scopes, fields } = resource
  const { one, many } = wordsOf(resource)
  const { summaries, most, store, prepare, check, beforeRemoval, touched } = options
  const writing = {
    ...({ role: 'admin', scope: scopes.write, reason: 'optional', transaction: 'later' } as const),
    ...(options.needsProof && { needsProof: () => true }),
  }
  const switches = 'enabled' in fields ? ([`${noun}.switch-on`, `${noun}.switch-off`] as const) : []
  const transactionOf = (of: Writing): typeof withTransaction =>
    options.changesPolicy?.includes(of) ? changePolicy : withTransaction
  const whole = { resource, options }
  const reading = { role: 'admin', scope: scopes.read, transaction: false } as const
  const Id = z.object({ id: z.string() })
  const facts = (row: AnyRow) => ({ ...auditedFacts(fields, row), ...options.audited?.(row) })
  const listingOf = ({ updatedAt, ...row }: AnyRow): Values =>
    resource.Listing.parse({
      ...row,
      ...options.listed?.({ ...row, updatedAt }),
      ...(options.secrets && { secrets: storedSecrets(whole, row) }),
      updatedAt: updatedAt.toISOString(),
    })
  const readList = listReader(options, listingOf)
  const find = async (client: Tx, asked: string) => {
    const where = whereOf(resource, asked)
    const row = await store.find(client, where)
    if (row) return row
    if ('id' in where) throw new NotFoundError(`This ${one}`)
    const { rows } = await readList({ sort: resource.order }, null)
    const names = rows.map(({ name }) => String(name))
    throw new NotFoundError(`The ${one} ${where.name}`, didYouMean(where.name, names))
  }
  const allow = async (caller: Caller, values: Values, before: AnyRow | null) => {
    await requireReferences(caller.tx, fields, values)
    const stored = before ? storedSecrets(whole, before) : []
    const kept = new Set(stored.filter((name) => values[name] === undefined))
    const errors = unfitFields(resource, { ...before, ...values }, kept)
    if (Object.keys(errors).length > 0) throw new ValidationError(errors)
    await check?.(caller, values, before, kept)
  }
  const explain = (error: unknown): never => {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError(`Another ${one} has this name.`, 'name')
  }

  /** Returns what the audit has: first the other fields, then the switch, so that it can be searched for who switched it. */
  const audited = (before: AnyRow, after: AnyRow, changes: Values, confirmed: Values) => {
    const between = 'enabled' in changes ? { ...after, enabled: before.enabled } : after
    const others = Object.keys(changes).some((field) => field !== 'enabled')
    const further = { ...replacedSecrets(fields, changes), ...confirmed }
    const { id: subject } = before
    const action = `${noun}.switch-${after.enabled === true ? 'on' : 'off'}` as const
    return changed(
      undefined,
      ...(others
        ? [{ subject, before: facts(before), after: { ...facts(between), ...further } }]
        : []),
      ...(between === after
        ? []
        : [{ subject, action, before: facts(between), after: facts(after) }]),
    )
  }

  const create = verb({
    ...writing,
    name: `${noun}.create`,
    summary: summaries.create,
    input: resource.Create,
    output: Id,
    run: async ({ ctx, actor, change }, asked) => {
      const values = withCaller(fields, asked, actor.userId)
      await prepare?.(values, null)
      return change(async (tx) => {
        if (most !== undefined && (await store.count(tx)) >= most) {
          const already = `There are already ${most.toLocaleString('en')} ${many}, the maximum.`
          throw new ConflictError(`${already} Delete one first.`)
        }
        await allow({ ctx, tx }, values, null)
        const { stored, confirmed } = partConfirmations(fields, values)
        const [columns, secrets] = await keepSecrets(tx, whole, stored, null)
        const row = { ...columns, createdByLabel: actor.email }
        const { id } = await store.insert(tx, row, secrets).catch(explain)
        await touched?.(tx, id)
        const after = { ...facts(await find(tx, id)), ...confirmed }
        return changed({ id }, { subject: id, after })
      }, transactionOf('create'))
    },
  })
  const update = verb({
    ...writing,
    name: `${noun}.update`,
    summary: summaries.update,
    input: resource.Update,
    audits: [`${noun}.update`, ...switches],
    run: async ({ ctx, change }, { id: asked, updatedAt: seen, ...given }) => {
      if (prepare) await prepare(given, await find(db(), String(asked)))
      await change(async (tx) => {
        const before = await find(tx, String(asked))
        if (seen !== undefined && seen !== before.updatedAt.toISOString()) throw changedSince(one)
        const { stored, confirmed } = partConfirmations(fields, given)
        const changes = differing(fields, stored, {
          ...before,
          secrets: storedSecrets(whole, before),
        })
        await allow({ ctx, tx }, { ...changes, ...confirmed }, before)
        if (Object.keys(changes).length === 0) return unchanged(undefined)
        const [columns, secrets] = await keepSecrets(tx, whole, changes, before)
        await store.write(tx, before.id, columns, secrets).catch(explain)
        await touched?.(tx, before.id)
        return audited(before, await find(tx, before.id), changes, confirmed)
      }, transactionOf('update'))
    },
  })
  const remove = verb({
    ...writing,
    name: `${noun}.delete`,
    summary: summaries.remove,
    input: Id,
    run: async ({ ctx, change }, { id: asked }) => {
      await change(async (tx) => {
        const where = whereOf(resource, asked)
        const id = 'id' in where ? where.id : (await find(tx, asked)).id
        await beforeRemoval?.(tx, id)
        const before = await find(tx, id)
        const lost = { ...facts(before), ...options.lost?.(before) }
        await store.remove({ ctx, tx }, before)
        await removeSecrets(tx, whole, before)
        await touched?.(tx, id)
        return changed(undefined, { subject: id, before: lost, after: null })
      }, transactionOf('remove'))
    },
  })
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
    run: async (_context, { id }) => {
      const row = await find(db(), id)
      return { ...listingOf(row), ...options.detail?.(row) }
    },
  })
  return { create, update, remove, list, page, read }
}

/** Returns which object is meant by an id, or by a name where objects have one. Throws NotFoundError. */
function whereOf(resource: AnyResource, asked: string): { id: string } | { name: string } {
  const name = Name.safeParse(asked)
  const isName = 'name' in resource.fields && name.success && !z.uuid().safeParse(asked).success
  return isName ? { name: name.data } : { id: parseId(asked, `This ${wordsOf(resource).one}`) }
}

function changedSince(one: string): ConflictError {
  return new ConflictError(
    `Somebody changed this ${one} after you opened it, so nothing was saved. Load it again and repeat your change.`,
  )
}

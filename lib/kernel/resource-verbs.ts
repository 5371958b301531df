import { z } from 'zod'
import { type AnyResource, type Definition, type Resource, untyped } from '../protocol/resource'
import { unfitFields } from '../protocol/resource-parts'
import { db, isUniqueViolation, type Tx } from './db'
import { ConflictError, NotFoundError, ValidationError } from './errors'
import { parseId } from './parse-id'
import type { AnyOptions, AnyRow, Caller, ColumnNames, Options, Stored } from './resource-options'
import { inOrder, passes } from './resource-order'
import { keepSecrets, removeSecrets, storedSecrets } from './resource-secrets'
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

/**
 * Returns the operations on a resource. They refuse names that are taken, references to what does not exist, and more
 * than the greatest number. The audit stores the fields that are no secret, references by what they are called. A change
 * that also switches the object has two audit rows.
 */
export function resourceVerbs<
  D extends Definition,
  S extends Stored<D>,
  const M extends ColumnNames = Record<never, never>,
>(resource: Resource<D>, options: Options<D, S, M>): ResourceVerbs<D> {
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
  const { noun, nouns, scopes, fields } = resource
  const { summaries, most, store, prepare, check, beforeRemoval, touched } = options
  const writing = {
    ...({ role: 'admin', scope: scopes.write, reason: 'optional', transaction: 'later' } as const),
    ...(options.needsProof && { needsProof: () => true }),
  }
  const whole = { resource, options }
  const reading = { role: 'admin', scope: scopes.read, transaction: false } as const
  const Id = z.object({ id: z.string() })
  const find = async (client: Tx, asked: string) => {
    const row = await store.find(client, parseId(asked, `This ${noun}`))
    if (!row) throw new NotFoundError(`This ${noun}`)
    return row
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
    throw new ConflictError(`Another ${noun} has this name.`, 'name')
  }
  const facts = (row: AnyRow) => ({ ...auditedFacts(fields, row), ...options.audited?.(row) })
  const listingOf = ({ updatedAt, ...row }: AnyRow): Values =>
    resource.Listing.parse({
      ...row,
      ...options.listed?.({ ...row, updatedAt }),
      ...(options.secrets && { secrets: storedSecrets(whole, row) }),
      updatedAt: updatedAt.toISOString(),
    })

  /** Returns what the audit has: first the other fields, then the switch, so that it can be searched for who switched it. */
  const audited = (before: AnyRow, after: AnyRow, changes: Values) => {
    const between = 'enabled' in changes ? { ...after, enabled: before.enabled } : after
    const others = Object.keys(changes).some((field) => field !== 'enabled')
    const replaced = replacedSecrets(fields, changes)
    const { id: subject } = before
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
        if ((await store.count(tx)) >= most) {
          const already = `There are already ${most.toLocaleString('en')} ${nouns}, the maximum.`
          throw new ConflictError(`${already} Delete one first.`)
        }
        await allow({ ctx, tx }, values, null)
        const [columns, secrets] = await keepSecrets(tx, whole, values, null)
        const row = { ...columns, createdByLabel: actor.email }
        const { id } = await store.insert(tx, row, secrets).catch(explain)
        await touched?.(tx, id)
        return changed({ id }, { subject: id, after: facts(await find(tx, id)) })
      })
    },
  })
  const update = verb({
    ...writing,
    name: `${noun}.update`,
    summary: summaries.update,
    input: resource.Update,
    audits: [`${noun}.update`, `${noun}.switch-on`, `${noun}.switch-off`],
    run: async ({ ctx, change }, { id: asked, ...given }) => {
      if (prepare) await prepare(given, await find(db(), String(asked)))
      await change(async (tx) => {
        const before = await find(tx, String(asked))
        const changes = differing(fields, given, {
          ...before,
          secrets: storedSecrets(whole, before),
        })
        await allow({ ctx, tx }, changes, before)
        if (Object.keys(changes).length === 0) return unchanged(undefined)
        const [columns, secrets] = await keepSecrets(tx, whole, changes, before)
        await store.write(tx, before.id, columns, secrets).catch(explain)
        await touched?.(tx, before.id)
        return audited(before, await find(tx, before.id), changes)
      })
    },
  })
  const remove = verb({
    ...writing,
    name: `${noun}.delete`,
    summary: summaries.remove,
    input: Id,
    run: async ({ change }, { id: asked }) => {
      const id = parseId(asked, `This ${noun}`)
      await change(async (tx) => {
        await beforeRemoval?.(tx, id)
        const before = await find(tx, id)
        await store.remove(tx, id)
        await removeSecrets(tx, whole, before)
        await touched?.(tx, id)
        return changed(undefined, { subject: id, before: facts(before), after: null })
      })
    },
  })
  const list = verb({
    ...reading,
    name: `${noun}.list`,
    summary: summaries.list,
    input: resource.Wanted,
    output: z.object({ rows: z.array(resource.Listing), whole: z.number() }),
    run: async (_context, wanted) => {
      const all = (await store.rows(db())).map(listingOf)
      const found = all.filter((row) => passes(row, wanted, options))
      return { rows: inOrder(found, String(wanted.sort), options), whole: all.length }
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

import { z } from 'zod'
import { db } from '@/lib/kernel/db'
import { defaultsOf } from '@/lib/shape/field-codec'
import { type AnyResource, type Definition, type Resource, untyped } from '@/lib/shape/resource'
import { changesOf } from './resource-changes'
import type {
  AnyOptions,
  ColumnNames,
  Options,
  Stored,
  VersionStore,
  Writing,
} from './resource-options'
import { readsOf } from './resource-reads'
import { givenAgain } from './resource-values'
import {
  Id,
  makeVerbs,
  type ResourceVerbs,
  Saved,
  transactionOf,
  writingOf,
} from './resource-verbs'
import { copyNote, notRestored, valuesOfVersion, versionView } from './resource-versions'
import { type Verb, verb } from './verb'

/** Shown version: the fields of the object, and author and reason of the change. Times are ISO text in UTC. */
type VersionSchema<D extends Definition> = z.ZodObject<{
  version: z.ZodInt
  form: Resource<D>['Version']
  note: z.ZodString
  createdByLabel: z.ZodString
  createdAt: z.ZodString
}>

type NamesShape<D extends Definition> = {
  [K in 'name' | 'identifier']: D['fields'] extends Record<K, { schema: z.ZodType }>
    ? D['fields'][K]['schema']
    : never
}

/** The operations on a resource with versions: also a copy, the list of versions, and the way back to one. */
export type VersionedVerbs<D extends Definition> = ResourceVerbs<D> & {
  clone: Verb<z.ZodObject<{ id: z.ZodString } & NamesShape<D>>, typeof Id, 'none'>
  versions: Verb<typeof Id, z.ZodArray<VersionSchema<D>>, 'none'>
  restore: Verb<z.ZodObject<{ id: z.ZodString; version: z.ZodInt }>, typeof Saved, 'none'>
}

type Summaries = Record<'clone' | 'versions' | 'restore', string>
type Versions = {
  /** Storage of the versions, and the words about their operations. */
  versions: VersionStore & { summaries: Summaries }
}

/**
 * Returns the operations on a resource whose changes are versions. Each version has the fields but the switch, who made it,
 * and the reason of the change as its note. The audit stores of a change the fields that differ.
 */
export function versionedVerbs<
  D extends Definition & { isVersioned: true },
  S extends Stored<D>,
  const M extends ColumnNames = Record<never, never>,
  const P extends Writing = never,
>(resource: Resource<D>, options: Options<D, S, M, P> & Versions): VersionedVerbs<D> {
  // The code below works on any fields. Only the two signatures state the types of the resource's own.
  const any = options as unknown as AnyOptions
  const { summaries } = options.versions
  const made = {
    ...makeVerbs(untyped(resource), any),
    ...makeVersionVerbs(untyped(resource), any, summaries),
  }
  return made as unknown as VersionedVerbs<D>
}

/** The operations on versions of a resource whose fields are not known to the compiler. */
export type AnyVersionVerbs = ReturnType<typeof makeVersionVerbs>

/** Returns the operations on versions for code that works on any resource. */
export function untypedVersionVerbs<D extends Definition>(
  verbs: VersionedVerbs<D>,
): AnyVersionVerbs {
  return verbs as unknown as AnyVersionVerbs
}

/** A page of versions is enough to compare with; older ones stay stored. */
const shownVersions = 50

function makeVersionVerbs(resource: AnyResource, options: AnyOptions, summaries: Summaries) {
  const { noun, fields, scopes } = resource
  const { find } = readsOf(resource, options)
  const { insert, write } = changesOf(resource, options)
  const { reason: _, ...writing } = writingOf(resource, options, 'update')
  const { name, identifier } = fields
  const actions = (act: string): string[] => [`${noun}.${act}`]
  const clone = verb({
    ...writing,
    name: `${noun}.clone`,
    summary: summaries.clone,
    input: Id.extend({
      ...(name && { name: name.schema }),
      ...(identifier && { identifier: identifier.schema }),
    }),
    output: Id,
    audits: actions('create'),
    run: ({ ctx, change }, { id, ...names }) =>
      change(
        async (tx) => {
          const row = await find(tx, id)
          const values = {
            ...defaultsOf(fields),
            ...givenAgain(fields, resource.Version.parse(row)),
          }
          const said = { action: `${noun}.create`, reason: copyNote(resource, row) }
          return insert({ ctx, tx }, { ...values, ...names }, said)
        },
        transactionOf(options, 'create'),
      ),
  })
  const restore = verb({
    ...writing,
    name: `${noun}.restore`,
    summary: summaries.restore,
    input: Id.extend({ version: z.int().positive() }),
    output: Saved,
    audits: actions('restore'),
    run: ({ ctx, change }, { id, version }) =>
      change(
        async (tx) => {
          const before = await find(tx, id)
          const values = await valuesOfVersion(tx, { resource, options }, before.id, version)
          const said = { reason: `Version ${version} was restored.` }
          return write({ ctx, tx }, before, values, said).catch((error) =>
            notRestored(error, version),
          )
        },
        transactionOf(options, 'update'),
      ),
  })
  const versions = verb({
    name: `${noun}.list-versions`,
    role: 'admin',
    scope: scopes.read,
    transaction: false,
    summary: summaries.versions,
    input: Id,
    output: z.array(
      z.object({
        version: z.int(),
        form: resource.Version,
        note: z.string(),
        createdByLabel: z.string(),
        createdAt: z.string(),
      }),
    ),
    run: async (_context, { id: idOrName }) => {
      const { id } = await find(db(), idOrName)
      const stored = (await options.versions?.list(db(), id, shownVersions)) ?? []
      return stored.map((each) => versionView(resource, each))
    },
  })
  return { clone, restore, versions }
}

import { z } from 'zod'
import { ApiScope } from '@/lib/protocol/api-scope'
import type { Named } from '@/lib/protocol/nouns'
import type { Reference, ResourceField, SwitchWords } from './field-shape'
import {
  changeShape,
  fitting,
  newShape,
  type referenceSchemas,
  type SwitchedReference,
  shownShape,
  versionShape,
} from './resource-schemas'
import type { SortOrder } from './sort-order'

export type ResourceFields = Readonly<Record<string, ResourceField>>

/**
 * Definition of one kind of stored object: its fields, each stated once, and its words. Verbs, pages, forms, API,
 * commands and the site file are made of it (`lib/edge/resource-verbs.ts`, `components/resource`,
 * `lib/doors/api/resource-endpoints.ts`, `lib/doors/cli/resource-commands.ts`, `lib/site-file/resource-entries.ts`).
 */
export type Definition = Named & {
  /** Describes the objects in the help of the terminal: "the hosts that tools may read". */
  about?: string
  /**
   * In the order of the form. Without a field `name`, an object has a `title`, which its store makes of its fields. With a
   * field `identifier`, objects are told apart by it; otherwise by their names, where they have one.
   */
  fields: ResourceFields
  /** A schema of some of the fields, which says what does not fit one another although each is right. */
  together?: z.ZodObject
  /**
   * True = each change is a new version, with who made it and the reason as its note. What is switched makes none. A change
   * names the version that it is based on.
   */
  isVersioned?: true
  /** True = there may be thousands, so an answer of the API has one page of the list. */
  isPaged?: true
  /** Sort keys of a list, and its first order. */
  sorts: readonly string[]
  order: SortOrder
  /** Filters of a list, beside `search` and, where there is a switch, `state`. */
  filters?: z.ZodRawShape
  /** Values that lists and the page show beside the fields, such as the next times of a schedule. */
  listed?: z.ZodRawShape
  /** Values that only the page of one object shows. */
  detail?: z.ZodRawShape
  /** Words of the history for further actions, by their names: "Sent a test". */
  acts?: Readonly<Record<string, string>>
}

type Shown<F extends Reference & { schema: z.ZodType }> = F extends { isSwitched: true }
  ? z.ZodArray<typeof SwitchedReference>
  : F extends { isMany: true }
    ? z.ZodArray<(typeof referenceSchemas)[F['to']]>
    : null extends z.output<F['schema']>
      ? z.ZodNullable<(typeof referenceSchemas)[F['to']]>
      : (typeof referenceSchemas)[F['to']]

type Hidden = { isSecret: true } | { isConfirmation: true }

/** The schemas of what is shown of each field: of a reference what it is called, of a secret or a confirmation nothing. */
type ShownShape<F extends ResourceFields, Not = Hidden> = {
  [K in keyof F as F[K] extends Reference
    ? F[K]['as']
    : F[K] extends Not
      ? never
      : K]: F[K] extends Reference ? Shown<F[K]> : z.ZodType<z.output<F[K]['schema']>>
}

type NewShape<F extends ResourceFields> = {
  [K in keyof F]: F[K] extends { isCallerByDefault: true }
    ? z.ZodOptional<F[K]['schema']>
    : F[K] extends { defaultValue: unknown }
      ? z.ZodDefault<F[K]['schema']>
      : F[K]['schema']
}

type ChangeShape<F extends ResourceFields> = {
  [K in keyof F as F[K] extends { isFixed: true } ? never : K]: z.ZodOptional<F[K]['schema']>
}

type HasSecrets<F extends ResourceFields> = {
  [K in keyof F]: F[K] extends { isSecret: true } ? true : never
}[keyof F]

const updatedAt = z.string().optional().meta({
  description:
    'When the object was changed last, as far as the caller knows. 409 if somebody changed it since.',
})
const version = z.int().optional().meta({
  description: 'The version that the change is based on. 409 if there is a newer one.',
})

/** Version or time that a change is based on. */
type Basis<D extends Definition> = D extends { isVersioned: true }
  ? { version: typeof version }
  : { updatedAt: typeof updatedAt }

type Extra<S> = S extends z.ZodRawShape ? S : unknown

type WantedShape<D extends Definition> = {
  search: z.ZodOptional<z.ZodString>
  sort: z.ZodType<SortOrder<D['sorts'][number]>, SortOrder<D['sorts'][number]> | undefined>
} & (D['fields'] extends { enabled: ResourceField } ? { state: typeof state } : unknown) &
  Extra<D['filters']>

const state = z.enum(['on', 'off']).optional()
/** The names of the secrets that are stored. */
const secrets = z
  .array(z.string())
  .meta({ description: 'The names of the secrets that are stored.' })

/** Rows on a page of a list, few enough for a small HTML. */
export const rowsPerPage = 20

const place = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(rowsPerPage),
}

type ListingShape<D extends Definition> = { id: z.ZodString } & (D['fields'] extends {
  name: ResourceField
}
  ? unknown
  : { title: z.ZodString }) &
  ShownShape<D['fields']> &
  ([true] extends [HasSecrets<D['fields']>] ? { secrets: typeof secrets } : unknown) &
  Extra<D['listed']> &
  (D extends { isVersioned: true } ? { version: z.ZodInt } : { createdByLabel: z.ZodString }) & {
    updatedAt: z.ZodString
  }

/** The schemas that follow from a definition. Times are ISO text in UTC. */
type Schemas<D extends Definition> = {
  /** Fields with a default value may be left out. */
  Create: z.ZodObject<NewShape<D['fields']>>
  /** A field that is left out stays. `updatedAt`, `version`: base of the change; left out: the object as it is now. */
  Update: z.ZodObject<{ id: z.ZodString } & Basis<D> & ChangeShape<D['fields']>>
  /** Which objects a list has, in which order; `Filter` is for pages. */
  Wanted: z.ZodObject<WantedShape<D>>
  Filter: z.ZodObject<WantedShape<D> & typeof place>
  /** An object as lists show it, and with what only its page shows. */
  Listing: z.ZodObject<ListingShape<D>>
  Detail: z.ZodObject<ListingShape<D> & Extra<D['detail']>>
  /** Fields of an object with versions, as each version stores them. */
  Version: z.ZodObject<ShownShape<D['fields'], Hidden | { kind: 'switch' }>>
}

/** Scopes that an API key needs; null: no key may do it. */
type Scopes = { scopes: { read: ApiScope | null; write: ApiScope | null } }

export type Resource<D extends Definition = Definition> = D & Scopes & Schemas<D>
export type ListingOf<R extends { Listing: z.ZodType }> = z.output<R['Listing']>
export type DetailOf<R extends { Detail: z.ZodType }> = z.output<R['Detail']>
export type VersionOf<R extends { Version: z.ZodType }> = z.output<R['Version']>
export type SortKeyOf<R extends { sorts: readonly string[] }> = R['sorts'][number]

/** A resource whose fields are not known to the compiler. */
export type AnyResource = Definition &
  Scopes & {
    [K in keyof Schemas<Definition>]: z.ZodObject
  }

/** Returns a resource for code that works on any. */
export function untyped<D extends Definition>(typed: Resource<D>): AnyResource {
  return typed as unknown as AnyResource
}

/** Returns a resource for its definition. */
export function resource<const D extends Definition>(definition: D): Resource<D> {
  const { fields, sorts, order, filters, listed, detail, together, isVersioned } = definition
  const Wanted = z.object({
    search: z.string().trim().max(200).optional(),
    ...filters,
    ...('enabled' in fields && { state }),
    sort: sortOrder(sorts, order),
  })
  const Listing = z.object({
    id: z.string(),
    ...(!('name' in fields) && { title: z.string() }),
    ...shownShape(fields),
    ...(Object.values(fields).some(({ isSecret }) => isSecret) && { secrets }),
    ...listed,
    ...(isVersioned ? { version: z.int() } : { createdByLabel: z.string() }),
    updatedAt: z.string(),
  })
  const basis = isVersioned ? { version } : { updatedAt }
  const schemas: Record<keyof Schemas<Definition>, z.ZodObject> = {
    Create: fitting(z.object(newShape(fields)), together),
    Update: fitting(z.object({ id: z.string(), ...basis, ...changeShape(fields) }), together),
    Wanted,
    Filter: Wanted.extend(place),
    Listing,
    Detail: Listing.extend(detail ?? {}),
    Version: z.object(versionShape(fields)),
  }
  // Objects made field by field lose the types of the fields, which `Schemas` states.
  return { ...definition, scopes: scopesOf(definition), ...schemas } as unknown as Resource<D>
}

function scopesOf({ nouns }: Named): Scopes['scopes'] {
  const scope = (act: 'read' | 'write') => ApiScope.safeParse(`${nouns}:${act}`).data ?? null
  return { read: scope('read'), write: scope('write') }
}

/** Returns words as one name in JSON: "search endpoint" is `searchEndpoint`. */
export function jsonName(words: string): string {
  return words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Returns the name of the field that tells objects apart beside their ids: the identifier or the name; null = they have
 * neither.
 */
export function keyField(fields: ResourceFields): 'identifier' | 'name' | null {
  if ('identifier' in fields) return 'identifier'
  return 'name' in fields ? 'name' : null
}

/** Returns what people call an object: its name, or its title where it has none. */
export function calledOf({ name, title }: { name?: unknown; title?: unknown }): string {
  return String(name ?? title)
}

/**
 * Returns the field of a resource that switches it on and off. `off`: what it means that it is off. `reason`: what is said
 * when it is switched off without a reason; left out = that needs none.
 */
export function switchField(off: SwitchWords, reason?: string) {
  const label = 'Switched on'
  return {
    kind: 'switch',
    label,
    off,
    ...(reason !== undefined && { reason }),
    schema: z.boolean('Give true or false.'),
    defaultValue: true,
  } as const
}

/** Returns the schema of a list's orders, with the default one. */
export function sortOrder<const Key extends string>(
  keys: readonly Key[],
  defaultOrder: NoInfer<SortOrder<Key>>,
): z.ZodType<SortOrder<Key>, SortOrder<Key> | undefined> {
  const orders: readonly unknown[] = keys.flatMap((key) => [key, `-${key}`])
  const message = `Sort by ${keys.join(', ')}; a minus in front reverses the order.`
  return z
    .custom<SortOrder<Key>>((value) => orders.includes(value), message)
    .optional()
    .transform((order) => order ?? defaultOrder)
}

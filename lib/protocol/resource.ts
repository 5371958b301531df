import { z } from 'zod'
import type { ApiScope } from './api-scope'
import type { Reference, ResourceField, SwitchWords } from './field-shape'
import type { SortOrder } from './sort-order'

export type ResourceFields = Readonly<Record<string, ResourceField>>

/**
 * What one kind of stored object is: its fields, each stated once, and what is said about it. Verbs, pages, forms, API,
 * commands and the site file are made of it (`lib/kernel/resource-verbs.ts`, `components/resource`,
 * `lib/doors/api/resource-endpoints.ts`, `lib/doors/cli/resource-commands.ts`, `lib/site-file/resource-entries.ts`).
 */
export type Definition = {
  /** In the singular: "schedule". It begins the names of verbs and of their audit rows. */
  noun: string
  /** In the plural: the address of the API, and the section of the site file. */
  nouns: string
  /** What people call such an object where its noun says more: "rule" for an approval rule. */
  words?: { one: string; many: string }
  /** The address of its list on the console; left out = its plural. */
  path?: `/${string}`
  /** What an API key needs; null = no key may do it. */
  scopes: { read: ApiScope | null; write: ApiScope | null }
  /** In the order of the form. Without a field `name`, an object has a `title`, which its store makes of its fields. */
  fields: ResourceFields
  /** What a list sorts by, and its first order. */
  sorts: readonly string[]
  order: SortOrder
  /** What a list can be narrowed by, beside `search` and, where there is a switch, `state`. */
  filters?: z.ZodRawShape
  /** What lists and the page show beside the fields, such as the next times of a schedule. */
  listed?: z.ZodRawShape
  /** What only the page of one object shows. */
  detail?: z.ZodRawShape
  /** What further operations did, by the names of their actions, as the history of an object says it: "Sent a test". */
  acts?: Readonly<Record<string, string>>
}

/** What a reference is shown as; null = it was deleted. */
const referenceSchemas = {
  configuration: z.object({ id: z.string(), name: z.string() }).nullable(),
  user: z.object({ id: z.string(), email: z.string() }),
  group: z.object({ id: z.string(), name: z.string() }),
} satisfies Record<Reference['to'], z.ZodType>

type Shown<F extends Reference> = F extends { isMany: true }
  ? z.ZodArray<(typeof referenceSchemas)[F['to']]>
  : (typeof referenceSchemas)[F['to']]

type Hidden = { isSecret: true } | { isConfirmation: true }

/** The schemas of what is shown of each field: of a reference what it is called, of a secret or a confirmation nothing. */
type ShownShape<F extends ResourceFields> = {
  [K in keyof F as F[K] extends Reference
    ? F[K]['as']
    : F[K] extends Hidden
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

const version = z.string().optional().meta({
  description:
    'When the object was changed last, as far as the caller knows. 409 if somebody changed it since.',
})

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

/** How many rows a page of a list has, so that its HTML stays small. */
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
  Extra<D['listed']> & { createdByLabel: z.ZodString; updatedAt: z.ZodString }

/** The schemas that follow from a definition. Times are ISO text in UTC. */
type Schemas<D extends Definition> = {
  /** What has a default value may be left out. */
  Create: z.ZodObject<NewShape<D['fields']>>
  /** What is left out stays. `updatedAt`: the version that the change is based on; left out = the current one. */
  Update: z.ZodObject<{ id: z.ZodString; updatedAt: typeof version } & ChangeShape<D['fields']>>
  /** Which objects a list has, in which order; `Filter` is for pages. */
  Wanted: z.ZodObject<WantedShape<D>>
  Filter: z.ZodObject<WantedShape<D> & typeof place>
  /** An object as lists show it, and with what only its page shows. */
  Listing: z.ZodObject<ListingShape<D>>
  Detail: z.ZodObject<ListingShape<D> & Extra<D['detail']>>
}

export type Resource<D extends Definition = Definition> = D & Schemas<D>
export type ListingOf<R extends { Listing: z.ZodType }> = z.output<R['Listing']>
export type DetailOf<R extends { Detail: z.ZodType }> = z.output<R['Detail']>
export type SortKeyOf<R extends { sorts: readonly string[] }> = R['sorts'][number]

/** A resource whose fields are not known to the compiler. */
export type AnyResource = Definition & {
  [K in keyof Schemas<Definition>]: z.ZodObject
}

/** Returns a resource for code that works on any. */
export function untyped<D extends Definition>(typed: Resource<D>): AnyResource {
  return typed as unknown as AnyResource
}

/** Returns a resource for its definition. */
export function resource<const D extends Definition>(definition: D): Resource<D> {
  const { fields, sorts, order, filters, listed, detail } = definition
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
    createdByLabel: z.string(),
    updatedAt: z.string(),
  })
  const schemas: Record<keyof Schemas<Definition>, z.ZodObject> = {
    Create: z.object(mapFields(fields, newSchema)),
    Update: z.object({ id: z.string(), updatedAt: version, ...mapFields(fields, changeSchema) }),
    Wanted,
    Filter: Wanted.extend(place),
    Listing,
    Detail: Listing.extend(detail ?? {}),
  }
  // Objects made field by field lose the types of the fields, which `Schemas` states.
  return { ...definition, ...schemas } as unknown as Resource<D>
}

function mapFields(fields: ResourceFields, to: (field: ResourceField) => z.ZodType | null) {
  const entries = Object.entries(fields).flatMap(([name, field]): [string, z.ZodType][] => {
    const schema = to(field)
    return schema ? [[name, schema]] : []
  })
  return Object.fromEntries(entries)
}

function newSchema(field: ResourceField): z.ZodType {
  const { schema, defaultValue } = field
  if (field.kind === 'reference' && field.isCallerByDefault) return schema.optional()
  return defaultValue === undefined ? schema : schema.default(defaultValue)
}

function changeSchema({ schema, isFixed }: ResourceField): z.ZodType | null {
  return isFixed ? null : schema.optional()
}

function shownShape(fields: ResourceFields): z.ZodRawShape {
  const shown = Object.entries(fields).flatMap(([name, field]): [string, z.ZodType][] => {
    if (isHidden(field)) return []
    if (field.kind !== 'reference') return [[name, withoutRules(field.schema)]]
    const one = referenceSchemas[field.to]
    return [[field.as, field.isMany ? z.array(one) : one]]
  })
  return Object.fromEntries(shown)
}

/**
 * Returns what a schema lets through, without its rules: what is stored may be from before a rule. (zod declares what is
 * inside a schema without its methods.)
 */
function withoutRules(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return withoutRules(unwrapped(schema)).nullable()
  if (schema instanceof z.ZodDefault) return withoutRules(unwrapped(schema))
  if (schema instanceof z.ZodArray) return z.array(withoutRules(schema.element as z.ZodType))
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return z.string()
  return schema instanceof z.ZodNumber ? z.number() : schema
}

function unwrapped(schema: z.ZodNullable | z.ZodDefault): z.ZodType {
  return schema.unwrap() as z.ZodType
}

/** Returns whether a field is written and never shown. */
export function isHidden({ isSecret, isConfirmation }: ResourceField): boolean {
  return isSecret === true || isConfirmation === true
}

type Named = Pick<Definition, 'noun' | 'nouns' | 'words' | 'path'>

/** Returns what people call the objects of a resource, one and many of them. */
export function wordsOf({ noun, nouns, words }: Named): { one: string; many: string } {
  return words ?? { one: noun, many: nouns }
}

/** Returns the address of a resource's list on the console, below which the pages of its objects are. */
export function pathOf({ nouns, path }: Named): `/${string}` {
  return path ?? `/${nouns}`
}

/** Returns what people call an object: its name, or its title where it has none. */
export function calledOf({ name, title }: { name?: unknown; title?: unknown }): string {
  return String(name ?? title)
}

/** Returns the field of a resource that switches it on and off. `off`: what it means that it is off. */
export function switchField(off: SwitchWords) {
  const label = 'Switched on'
  return {
    kind: 'switch',
    label,
    off,
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

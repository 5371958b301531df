import type { z } from 'zod'
import type { Reference } from '../protocol/field-shape'
import type { Definition, Resource } from '../protocol/resource'
import type { Ctx } from './context'
import type { ChangeTx, Tx } from './db'
import type { Values } from './resource-values'

type Listing<D extends Definition> = z.output<Resource<D>['Listing']>
type Extras<S> = S extends z.ZodRawShape ? z.output<z.ZodObject<S>> : unknown
type Given<D extends Definition> = { [K in keyof D['fields']]: z.output<D['fields'][K]['schema']> }
type Changes<D extends Definition> = {
  [K in keyof D['fields'] as D['fields'][K] extends { isFixed: true } ? never : K]?: Given<D>[K]
}

type SecretKey<D extends Definition> = {
  [K in keyof D['fields']]: D['fields'][K] extends { isSecret: true } ? K : never
}[keyof D['fields']]
/** The secrets that are given with a change, in clear. */
type GivenSecrets<D extends Definition> = { [K in SecretKey<D>]?: Given<D>[K] }
/** What is stored of a change: the fields that are no secret, and for secrets the columns with their ids. */
type Columns<V, D extends Definition, M extends ColumnNames> = Omit<V, SecretKey<D>> & {
  [C in M[keyof M]]?: string | null
}
/** Where secrets of resources are stored: the vault, which lies above the kernel. */
export type FieldVault = {
  /** Stores a secret; null = there is none any more. Returns its id, which stays the same while there is one. */
  keep: (
    tx: ChangeTx,
    purpose: string,
    id: string | null,
    plaintext: string | null,
  ) => Promise<string | null>
  remove: (tx: ChangeTx, ids: string[]) => Promise<void>
}

/** The column that has the id of each secret. */
export type ColumnNames = Readonly<Record<string, string>>

/** An object as it is stored: the values of its fields that are no secret, and what references are called. */
export type Stored<D extends Definition> = Omit<
  Listing<D>,
  'updatedAt' | 'secrets' | (D['listed'] extends z.ZodRawShape ? keyof D['listed'] : never)
> & {
  [K in keyof D['fields'] as D['fields'][K] extends Reference ? K : never]: z.output<
    D['fields'][K]['schema']
  > | null
} & { updatedAt: Date }

export type Caller = { ctx: Ctx; tx: ChangeTx }

/** The orders that follow from the shape: by a field, by the title, by the switch. */
type UsualOrder<D extends Definition> = keyof D['fields'] | 'title' | 'state'
type Order<D extends Definition> = (row: Listing<D>) => string | number
type OwnOrders<D extends Definition> = Exclude<D['sorts'][number], UsualOrder<D>>

/** What a resource has of its own: how it is stored, checked and found. */
export type Options<D extends Definition, S, M extends ColumnNames> = {
  summaries: Record<'create' | 'update' | 'remove' | 'list' | 'read', string>
  /** The most there can be, because lists read all of them. */
  most: number
  store: {
    count: (client: Tx) => Promise<number>
    /** Returns all objects, as lists need them. */
    rows: (client: Tx) => Promise<S[]>
    /** Returns one, as its page needs it; null = there is none. */
    find: (client: Tx, id: string) => Promise<S | null>
    insert: (
      tx: ChangeTx,
      values: Columns<Given<D>, D, M> & { createdByLabel: string },
      secrets: GivenSecrets<D>,
    ) => Promise<{ id: string }>
    write: (
      tx: ChangeTx,
      id: string,
      changes: Columns<Changes<D>, D, M>,
      secrets: GivenSecrets<D>,
    ) => Promise<unknown>
    remove: (tx: ChangeTx, id: string) => Promise<unknown>
  }
  /** Where the secrets are. */
  secrets?: { vault: FieldVault; columns: M }
  /** True = each change needs a fresh proof of who makes it. */
  needsProof?: boolean
  /** Called before the transaction of a change, such as to look up addresses; throws what forbids it. */
  prepare?: (values: Partial<Given<D>>, before: S | null) => Promise<void>
  /**
   * Throws what forbids a change; `before` null = it is new. The references of `values` exist, and the fields fit one
   * another. `kept`: the secrets that are stored and stay.
   */
  check?: (
    caller: Caller,
    values: Partial<Given<D>>,
    before: S | null,
    kept: ReadonlySet<string>,
  ) => void | Promise<void>
  /** Called first in a deletion, such as to take locks in the order of others. */
  beforeRemoval?: (tx: ChangeTx, id: string) => Promise<unknown>
  /** Called last in the transaction of each change. */
  touched?: (tx: ChangeTx, id: string) => Promise<unknown>
  /** Returns what the audit stores beside the fields, such as what may be shown of a secret. */
  audited?: (stored: S) => Values
  /** Returns the texts that a search looks at. */
  searched: (row: Listing<D>) => readonly (string | null | undefined)[]
  /** Returns whether a row passes the filters; left out = each of them is a field, and the same. */
  fits?: (row: Listing<D>, wanted: z.output<Resource<D>['Wanted']>) => boolean
} & ([OwnOrders<D>] extends [never]
  ? { orders?: { [K in D['sorts'][number]]?: Order<D> } }
  : {
      /**
       * Returns what each order compares that is neither a field nor the switch. Equal rows are ordered by the first text of
       * `searched`.
       */
      orders: { [K in OwnOrders<D>]: Order<D> } & { [K in D['sorts'][number]]?: Order<D> }
    }) &
  ([SecretKey<D>] extends [never]
    ? unknown
    : { secrets: { columns: Record<SecretKey<D>, string> } }) &
  (D['listed'] extends z.ZodRawShape
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
    : unknown)

export type AnyRow = Values & { id: string; createdByLabel: string; updatedAt: Date }

/** The options of a resource whose fields are not known to the compiler. */
export type AnyOptions = Omit<
  Options<Definition, AnyRow, Record<never, never>>,
  'orders' | 'fits' | 'secrets'
> & {
  fits?: (row: Values, wanted: Values) => boolean
  secrets?: { vault: FieldVault; columns: ColumnNames }
  listed?: (stored: AnyRow) => Values
  detail?: (stored: AnyRow) => Values
  orders?: Readonly<Record<string, (row: Values) => string | number>>
}

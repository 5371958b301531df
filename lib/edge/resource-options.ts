import type { z } from 'zod'
import type { Ctx } from '@/lib/kernel/context'
import type { ChangeTx, PolicyTx, Tx } from '@/lib/kernel/db'
import type { Reference, ResourceField } from '@/lib/shape/field-shape'
import type { Definition } from '@/lib/shape/resource'
import type { PersonsAct } from './persons-acts'
import type { AnyListOptions, Listing, ListOptions } from './resource-rows'
import type { Values } from './resource-values'

type Extras<S> = S extends z.ZodRawShape ? z.output<z.ZodObject<S>> : unknown
type Given<D extends Definition> = { [K in keyof D['fields']]: z.output<D['fields'][K]['schema']> }
type Without<D extends Definition, Not> = {
  [K in keyof D['fields'] as D['fields'][K] extends Not ? never : K]: Given<D>[K]
}

type SecretKey<D extends Definition> = {
  [K in keyof D['fields']]: D['fields'][K] extends { isSecret: true } ? K : never
}[keyof D['fields']]
/** The secrets that are given with a change, in clear. */
type GivenSecrets<D extends Definition> = { [K in SecretKey<D>]?: Given<D>[K] }
type Unstored = { isSecret: true } | { isConfirmation: true }
type SecretIds<M extends ColumnNames> = { [C in M[keyof M]]?: string | null }
/** Columns of a new object: the fields that are no secret, and for secrets the columns with their ids. */
type NewRow<D extends Definition, M extends ColumnNames> = Without<D, Unstored> &
  SecretIds<M> &
  (D extends { isVersioned: true } ? unknown : { createdByLabel: string })
/** Columns of a change. `version`: its new one, where there are versions. */
type ChangedRow<D extends Definition, M extends ColumnNames> = Partial<
  Without<D, Unstored | { isFixed: true }>
> &
  SecretIds<M> &
  (D extends { isVersioned: true } ? { version?: number } : unknown)
/** Store of secrets of resources: the vault, which lies above the kernel. */
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
  [K in keyof D['fields'] as D['fields'][K] extends Reference
    ? D['fields'][K] extends { isSwitched: true }
      ? never
      : K
    : never]: z.output<D['fields'][K]['schema']> | null
} & { updatedAt: Date }

/** A version as it is added: what an object has then, and the reason of the change as its note. */
type NewVersion = {
  version: number
  data: Record<string, z.core.util.JSONType>
  note: string
  createdByLabel: string
}

/** A version as it is stored. */
export type StoredVersion = Omit<NewVersion, 'data'> & { data: unknown; createdAt: Date }

/** Adds and finds the versions of an object. */
export type VersionStore = {
  add: (tx: ChangeTx, id: string, version: NewVersion) => Promise<unknown>
  find: (client: Tx, id: string, version: number) => Promise<StoredVersion | null>
  /** Returns the newest ones first, at most so many. */
  list: (client: Tx, id: string, most: number) => Promise<StoredVersion[]>
}

export type Writing = 'create' | 'update' | 'remove'
/** The transaction of a change. `P`: the operations that change the policy. */
type WriteTx<W extends Writing, P extends Writing> = W extends P ? PolicyTx : ChangeTx
export type Caller<T = ChangeTx> = { ctx: Ctx; tx: T }

/** A change of an object: the names of the fields that it writes. `before` null = the object is new. */
export type WrittenFields<S> = { ctx: Ctx; before: S | null; names: readonly string[] }

/** Identifies one object: by its id, or by its unique fields. */
export type Where<D extends Definition> =
  | { id: string }
  | (D['fields'] extends { identifier: ResourceField }
      ? { identifier: string }
      : D['fields'] extends { name: ResourceField }
        ? { name: string }
        : never)

/** Own parts of a resource: its storage, checks and queries. */
export type Options<D extends Definition, S, M extends ColumnNames, P extends Writing> = {
  summaries: Record<Writing | 'list' | 'read', string>
  /** The operations that may alter a decision: no call and no request starts while they run (`changePolicy`). */
  changesPolicy?: readonly P[]
  /** Those that may leave calls that nobody could approve. */
  mayEndApproval?: readonly P[]
  /** Those that may break policy cases; those that may end a way to approve calls are among them already. */
  mayBreakCases?: readonly P[]
  store: {
    count: (client: Tx) => Promise<number>
    /** Returns one, as its page needs it; null = there is none. */
    find: (client: Tx, where: Where<D>) => Promise<S | null>
    insert: (
      tx: WriteTx<'create', P>,
      values: NewRow<D, M>,
      secrets: GivenSecrets<D>,
    ) => Promise<{ id: string }>
    write: (
      tx: WriteTx<'update', P>,
      id: string,
      changes: ChangedRow<D, M>,
      secrets: GivenSecrets<D>,
    ) => Promise<unknown>
    remove: (caller: Caller<WriteTx<'remove', P>>, stored: S) => Promise<unknown>
  }
  /** The vault, and the columns with the ids of secrets. */
  secrets?: { vault: FieldVault; columns: M }
  /** True = each change needs a fresh proof of who makes it. */
  needsReauthentication?: boolean
  /**
   * Returns the act of a change that only a person does, never an API key (SPEC A7); null = none. `before` null = it is new,
   * `values` null = it is deleted.
   */
  personsAct?: (
    change: { values: Partial<Given<D>>; before: S | null } | { values: null; before: S },
    client: Tx,
  ) => PersonsAct | null | Promise<PersonsAct | null>
  /**
   * Called before the transaction of a change, such as to look up addresses or to load what `check` asks; throws what forbids
   * it.
   */
  prepare?: (values: Partial<Given<D>>, before: S | null) => Promise<unknown>
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
  beforeRemoval?: (tx: WriteTx<'remove', P>, id: string) => Promise<unknown>
  /** Called last in the transaction of each change. `written`: left out of a deletion. */
  touched?: (tx: ChangeTx, id: string, written?: WrittenFields<S>) => Promise<unknown>
  /** Returns what the audit stores beside the fields, such as what may be shown of a secret. */
  audited?: (stored: S) => Values
  /** Returns what the audit of a deletion stores beside that: what is lost with the object. */
  lost?: (stored: S) => Values
} & ListOptions<D, S> &
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
        detail: (stored: S, ctx: Ctx) => Extras<D['detail']> | Promise<Extras<D['detail']>>
      }
    : unknown)

export type AnyRow = Values & { id: string; updatedAt: Date }

type Usual = Options<Definition, AnyRow, Record<never, never>, never>

/** The options of a resource whose fields are not known to the compiler. */
export type AnyOptions = Omit<
  Usual,
  | keyof AnyListOptions<AnyRow>
  | 'changesPolicy'
  | 'mayEndApproval'
  | 'mayBreakCases'
  | 'secrets'
  | 'personsAct'
> &
  AnyListOptions<AnyRow> & {
    changesPolicy?: readonly Writing[]
    mayEndApproval?: readonly Writing[]
    mayBreakCases?: readonly Writing[]
    store: Omit<Usual['store'], 'find' | 'insert'> & {
      find: (client: Tx, where: Readonly<Record<string, string>>) => Promise<AnyRow | null>
      insert: (tx: ChangeTx, values: Values, secrets: Values) => Promise<{ id: string }>
    }
    personsAct?: (
      change: { values: Values | null; before: AnyRow | null },
      client: Tx,
    ) => PersonsAct | null | Promise<PersonsAct | null>
    versions?: VersionStore
    secrets?: { vault: FieldVault; columns: ColumnNames }
    listed?: (stored: AnyRow) => Values
    detail?: (stored: AnyRow, ctx: Ctx) => Values | Promise<Values>
  }

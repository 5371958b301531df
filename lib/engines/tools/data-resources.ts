import type { Ask } from '@/lib/engines/tools/data/transactions'
import type { OpenTable } from './data/open-table'
import type { HistoryTable } from './data/read-history'
import type { QueryResult } from './data/role-query'

/** The databases whose opened tables tools of the actor may read. */
export type DataResources = {
  /** The tables that the actor may read at this moment, by source and name. */
  tables: () => Promise<UsableTable[]>
  /** Signs words with a key of this installation, for the actor and a source. Every server of it signs the same. */
  sign: (sourceId: string, words: string) => Buffer
  /**
   * Runs statements on a source in one read-only transaction, which is rolled back. Throws ToolError, whose text is never the
   * database's, when it cannot be asked or refuses a statement.
   */
  ask: <T>(sourceId: string, signal: AbortSignal, work: (ask: Ask) => Promise<T>) => Promise<T>
  /**
   * Runs statements on a source in one transaction that may write; when it throws, nothing was written, unless its text says that
   * nobody knows. Never the console's own database.
   */
  write: <T>(sourceId: string, signal: AbortSignal, work: (ask: Ask) => Promise<T>) => Promise<T>
  /** Runs one query as the role of a source's queries, of the one source that allows them when none is named. Throws ToolError. */
  query: (input: {
    source: string | undefined
    sql: string
    signal: AbortSignal
  }) => Promise<QueryResult & { name: string }>
  /**
   * Returns what the audit says of a record of the console's own database, newest first. The caller has read the record as `table`
   * lets the actor.
   */
  audit: (requested: {
    table: UsableTable
    record: string
    limit: number
  }) => Promise<{ changes: AuditedChange[]; more: boolean }>
}

/**
 * A change as the audit has it. Who and what are for admins, as the audit is. `columns`: `values` null = the column is closed, and only
 * known to have changed; a side that is left out is not in the audit. `others`: something else of the record changed, too.
 */
export type AuditedChange = {
  at: string
  who: string | null
  what: string | null
  columns: { name: string; values: { before?: string | null; after?: string | null } | null }[]
  others: boolean
}

/** Place of the history of a table's records; null: it has none. `objects`: their type in the audit. */
type TableHistory = { type: 'audit'; objects: string } | ({ type: 'table' } & HistoryTable) | null

/** A table that the actor may read. */
export type UsableTable = OpenTable & {
  sourceId: string
  source: string
  /** It is of the console's own database. */
  isConsole: boolean
  history: TableHistory
  /** Queries may be run on its source. */
  hasQueries: boolean
}

import type { OpenTable } from './data/open-table'
import type { Ask } from './data/read-only'
import type { QueryResult } from './data/role-query'

/** The databases whose opened tables tools of the actor may read. */
export type DataResources = {
  /** The tables that the actor may read at this moment, by source and name. */
  tables: () => Promise<UsableTable[]>
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
  query: (asked: {
    source: string | undefined
    sql: string
    signal: AbortSignal
  }) => Promise<QueryResult & { name: string }>
}

/** A table that the actor may read. */
export type UsableTable = OpenTable & {
  sourceId: string
  source: string
  /** Queries may be run on its source. */
  hasQueries: boolean
}

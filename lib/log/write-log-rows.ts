import type { LogRow } from './log-row'
import type { WriteRows } from './log-sink'

/** As much of the database client as the log needs. */
export type LogDb = {
  logEntry: { createMany: (args: { data: LogRow[]; skipDuplicates: boolean }) => Promise<unknown> }
  $executeRaw: (query: TemplateStringsArray, ...values: number[]) => Promise<unknown>
}

const KEPT_ROWS = 20_000
const PRUNE_EVERY = 1_000

/** Writes rows to `log_entries` and now and then removes all but the newest 20,000. */
export function writeLogRows(db: LogDb): WriteRows {
  let written = PRUNE_EVERY
  return async (rows) => {
    await db.logEntry.createMany({ data: rows, skipDuplicates: true })
    written += rows.length
    if (written < PRUNE_EVERY) return
    written = 0
    await pruneLogEntries(db)
  }
}

async function pruneLogEntries(db: LogDb): Promise<void> {
  await db.$executeRaw`
    DELETE FROM log_entries WHERE at < (
      SELECT at FROM log_entries ORDER BY at DESC OFFSET ${KEPT_ROWS - 1} LIMIT 1
    )`
}

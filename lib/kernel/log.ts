import { createLogger, type Logger } from './log/create-logger'
import { createLogSink, type LogRow, logRow, type WriteRows } from './log/log-sink'

let output: NodeJS.WritableStream = process.stdout
const level = process.env.LOG_LEVEL
const outputOnly = createLogger((line) => output.write(line), level)
const sink = createLogSink({
  onFailure: (error) => outputOnly.error({ source: 'log', err: error }, sinkFailed),
})
process.once('beforeExit', () => void sink.flush())

/**
 * The application's log: `log.info({ source, incidentId, ipAddress, userId, ...payload }, message)`. One JSON line on
 * standard output per event (SPEC O3) and, from `info` on and once `configureLogSink` was called, a row in
 * `log_entries`, which is what `fetch_logs` reads. Level from `LOG_LEVEL`.
 */
export const log: Logger = createLogger((line) => {
  output.write(line)
  store(line)
}, level)

/** The same log without standard output: for what the steps of a start say there in words of their own. */
export const storedLog: Logger = createLogger(store, level)

function store(line: string): void {
  const row = logRow(line)
  if (row !== null) sink.push(row)
}

/** Writes log rows to this database from now on, including those logged before. Call once, at boot. */
export function configureLogSink(db: LogDb): void {
  sink.connect(writeLogRows(db))
}

/** Resolves when all that was logged so far is stored, or after `timeoutMs`. Call before ending the process. */
export async function flushLog(timeoutMs = 2_000): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([sink.flush(), limit])
  clearTimeout(timer)
}

/** Keeps standard output for a program's own words (the CLI). */
export function logToStandardError(): void {
  output = process.stderr
}

const sinkFailed = 'Cannot write the log to the database; keeping it and trying again'

/** The part of the database client that the log needs. */
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

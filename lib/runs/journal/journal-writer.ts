import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { isContended, isDiskFull, isOutage } from '@/lib/kernel/database-errors'
import { type Database, noteDiskFull, type Tx } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { channels } from './notifications'
import { mostRunsPerNotice, runNotice } from './run-notice'
import { type Send, sendOn } from './shared-answers'
import {
  type Entry,
  placeOf,
  queryIn,
  queryPool,
  type Written,
  writeEntries,
} from './write-entries'

/** Writes the journals of all runs of one engine. */
export type JournalWriter = {
  /** Resolves when the entry is stored or refused. A run has at most one entry on its way at a time. */
  write: (entry: Entry) => Promise<Written>
  /** Tells watchers in other processes what they were not told yet. */
  tellAll: () => Promise<void>
}

/**
 * Watchers in other processes are told together of what was written: PostgreSQL commits statements that notify one after
 * the other, and wakes every process for each of them. A notice goes with a statement so long after the last one, or alone
 * when there is none up to `tellWithinMs`.
 */
const tellAfterMs = 20
const tellWithinMs = 40

type Pending = {
  entry: Entry
  resolve: (written: Written) => void
  reject: (error: unknown) => void
}

/** Returns what writes one entry in a transaction. After a deadlock, all of the transaction must be done again. */
export function writeIn(tx: Tx, instanceId: string): JournalWriter['write'] {
  return async (entry) => {
    try {
      const [written = 'lost'] = await writeEntries(queryIn(tx), instanceId, [entry])
      return written
    } catch (error) {
      if (isContended(error)) return 'policy-changed'
      throw error
    }
  }
}

/**
 * Opens the writer of one engine. One statement is on its way at a time, and stores everything that was asked for since
 * the one before: the more runs there are, the less each of them costs. While the database is away or its disk is full, it
 * tries again every `retryMs`, as long as `goesOn` says so: the runs wait, and what they did is recorded as it ended.
 */
export function openJournalWriter(
  database: Database,
  instanceId: string,
  { retryMs, goesOn }: { retryMs: number; goesOn: () => boolean },
): JournalWriter {
  const query = queryPool(database)
  const notices = openNotices(instanceId, sendOn(database))
  let pending: Pending[] = []
  let isWriting = false

  const writeAll = async (): Promise<void> => {
    while (pending.length > 0) {
      const batch = pending.slice(0, mostRunsPerNotice)
      pending = pending.slice(batch.length)
      await writeBatch(batch)
    }
    isWriting = false
  }

  const writeBatch = async (batch: readonly Pending[]): Promise<void> => {
    const entries = batch.map(({ entry }) => entry)
    const notice = notices.isDue() ? notices.take(entries) : null
    try {
      const written = await writeEntries(query, instanceId, entries, notice)
      if (notice === null) notices.tellLater(entries)
      for (const [place, { resolve }] of batch.entries()) resolve(written[place] ?? 'lost')
    } catch (error) {
      if (isOutage(error) && goesOn()) return waitForDatabase(batch, error)
      if (isContended(error)) return writeBatch(batch)
      if (batch.length > 1 && error instanceof DatabaseError) await writeOneByOne(batch)
      else for (const { reject } of batch) reject(error)
    }
  }

  const waitForDatabase = async (batch: readonly Pending[], cause: unknown): Promise<void> => {
    const isFull = isDiskFull(cause)
    if (isFull) noteDiskFull()
    const what = isFull
      ? 'The disk is full; runs wait until it has room'
      : 'The database does not answer; runs wait until it does'
    log.error({ source: 'engine', runs: batch.length, error: String(cause) }, what)
    await wait(retryMs)
    // The answer to a statement that was stored may be all that was lost.
    const stored = await findStored(database, batch).catch((error: unknown) => {
      if (isOutage(error)) return null
      for (const { reject } of batch) reject(error)
      return new Set(batch)
    })
    if (stored === null && goesOn()) return waitForDatabase(batch, cause)
    if (stored === null) for (const { reject } of batch) reject(cause)
    const open = stored ? batch.filter((each) => !stored.has(each)) : []
    if (open.length > 0) await writeBatch(open)
  }

  /** PostgreSQL refused a statement, which stored nothing: what is wrong with one run must not stop the others. */
  const writeOneByOne = async (batch: readonly Pending[]): Promise<void> => {
    for (const each of batch) await writeBatch([each])
  }

  return {
    tellAll: notices.tellAll,
    write: (entry) =>
      new Promise((resolve, reject) => {
        pending.push({ entry, resolve, reject })
        if (isWriting) return
        isWriting = true
        // Runs that go on with the same turn of the event loop share a statement.
        setImmediate(() => void writeAll())
      }),
  }
}

/** Settles those of a batch whose events are in the journal as this process made them, and returns them. */
async function findStored({ pool }: Database, batch: readonly Pending[]): Promise<Set<Pending>> {
  const ends = batch.map(({ entry }) => entry.events.at(-1))
  const { rows } = await pool.query<{ runId: string; type: string; at: string }>(
    `SELECT e."runId"::text AS "runId", e.type, (extract(epoch FROM e.at) * 1000)::bigint::text AS at
     FROM unnest($1::uuid[], $2::int[]) AS wanted(run, seq)
       JOIN run_events e ON e."runId" = wanted.run AND e.seq = wanted.seq`,
    [batch.map(({ entry }) => entry.facts.runId), ends.map((end) => end?.seq ?? 0)],
  )
  const known = new Map(rows.map((row) => [row.runId, row]))
  const stored = batch.filter(({ entry }, place) => {
    const [row, end] = [known.get(entry.facts.runId), ends[place]]
    return row !== undefined && row.type === end?.type && Number(row.at) === end.at
  })
  for (const { resolve } of stored) resolve('written')
  return new Set(stored)
}

/** Opens what collects notices for watchers in other processes. Each names runs and their newest events. */
function openNotices(writer: string, send: Send) {
  const unsent = new Map<string, number>()
  let sentAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null

  const add = (entries: readonly Entry[]): void => {
    for (const { runId, seq } of entries.map(placeOf)) {
      // The newest come last.
      unsent.delete(runId)
      unsent.set(runId, seq)
    }
  }
  const take = (entries: readonly Entry[]): string => {
    // Watchers find the entries of a failed statement by themselves.
    add(entries)
    const runs = [...unsent].slice(-mostRunsPerNotice).map(([runId, seq]) => ({ runId, seq }))
    for (const { runId } of runs) unsent.delete(runId)
    sentAt = performance.now()
    return runNotice({ writer, runs })
  }
  const tellAll = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    const payloads: string[] = []
    while (unsent.size > 0) payloads.push(take([]))
    if (payloads.length > 0) await send(channels.run, payloads)
  }
  return {
    isDue: () => performance.now() - sentAt >= tellAfterMs,
    /** Returns the notice of these entries and what was not told before them. */
    take,
    tellLater: (entries: readonly Entry[]): void => {
      add(entries)
      const tell = () => void tellAll().catch(() => undefined)
      // A statement may take longer than that.
      const waitMs = Math.max(0, sentAt + tellWithinMs - performance.now())
      timer ??= setTimeout(tell, waitMs).unref()
    },
    tellAll,
  }
}

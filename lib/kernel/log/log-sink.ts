import { z } from 'zod'
import type { Prisma } from '@/lib/generated/prisma/client'
import { newId } from '@/lib/kernel/new-id'

/** Writes rows once each, however often it is called with them. */
export type WriteRows = (rows: LogRow[]) => Promise<void>

export type LogSink = {
  /** Never waits and never fails; a full queue counts the row as dropped. */
  push: (row: LogRow) => void
  /** Writes rows with `write` from now on, including those pushed before. */
  connect: (write: WriteRows) => void
  /** Resolves when everything pushed so far was written, or could not be. Never rejects. */
  flush: () => Promise<void>
}

type Options = {
  maxQueue?: number
  batchSize?: number
  flushMs?: number
  maxAttempts?: number
  maxDelayMs?: number
  /** Called once per series of failures. It must not log, because that row would come back here. */
  onFailure: (error: unknown) => void
}

/**
 * Returns a bounded queue of log rows, which are written in batches. A failing database is tried again with growing
 * delays; after `maxAttempts` the batch is dropped. The number of lost rows is written as a row of its own.
 */
export function createLogSink(options: Options): LogSink {
  const {
    maxQueue = 5_000,
    batchSize = 500,
    flushMs = 500,
    maxAttempts = 8,
    maxDelayMs = 30_000,
    onFailure,
  } = options
  const queue: LogRow[] = []
  let write: WriteRows | null = null
  let dropped = 0
  let failures = 0
  let timer: NodeJS.Timeout | null = null
  let draining: Promise<void> | null = null

  function schedule(): void {
    if (timer !== null || write === null || (queue.length === 0 && dropped === 0)) return
    timer = setTimeout(() => void flush(), Math.min(flushMs * 2 ** failures, maxDelayMs))
    // Waiting log rows alone do not keep a process alive, so a process flushes before it ends.
    timer.unref()
  }

  async function drain(writeRows: WriteRows): Promise<void> {
    while (queue.length > 0 || dropped > 0) {
      const batch = queue.slice(0, batchSize)
      const noted = dropped
      try {
        await writeRows(noted > 0 ? [droppedNote(noted), ...batch] : batch)
      } catch (error) {
        giveUpOrKeep(error, batch.length)
        return
      }
      failures = 0
      dropped -= noted
      queue.splice(0, batch.length)
    }
  }

  function giveUpOrKeep(error: unknown, count: number): void {
    failures += 1
    if (failures === 1) onFailure(error)
    if (failures < maxAttempts) return
    dropped += queue.splice(0, count).length
    failures = 0
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (write === null) return Promise.resolve()
    draining ??= drain(write).finally(() => {
      draining = null
      schedule()
    })
    return draining
  }

  return {
    push: (row) => {
      if (queue.length >= maxQueue) dropped += 1
      else queue.push(row)
      schedule()
    },
    connect: (writeRows) => {
      write = writeRows
      schedule()
    },
    flush,
  }
}

function droppedNote(count: number): LogRow {
  return {
    id: newId(),
    at: new Date(),
    level: 'warn',
    source: 'log',
    message: `${count} log entries were dropped: the database could not keep up.`,
    payload: { dropped: count },
  }
}

const MAX_PAYLOAD = 32_000

/** A line as the logger writes it. */
const LogLineText = z.object({
  level: z.enum(['info', 'warn', 'error', 'fatal']),
  at: z.iso.datetime(),
  message: z.string().default(''),
  source: z.string().max(100).catch('toolgate'),
  incidentId: z.string().max(100).nullish().catch(null),
  ipAddress: z.string().max(100).nullish().catch(null),
  userId: z.uuid().nullish().catch(null),
  payload: z.json().optional(),
})

export type LogRow = Prisma.LogEntryCreateManyInput

/**
 * Returns the row of `log_entries` for one line, or null for a line below `info` or of another program. Its id is
 * assigned here, so that writing it again after an unclear failure changes nothing.
 */
export function logRow(line: string): LogRow | null {
  const parsed = LogLineText.safeParse(readJson(line))
  if (!parsed.success) return null
  const { level, at, message, source, incidentId, ipAddress, userId, payload } = parsed.data
  return {
    id: newId(),
    at: new Date(at),
    level: level === 'fatal' ? 'error' : level,
    message,
    source,
    incidentId: incidentId ?? null,
    ipAddress: ipAddress ?? null,
    userId: userId ?? null,
    ...(payload === undefined || payload === null ? {} : { payload: bounded(payload) }),
  }
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function bounded(payload: Prisma.InputJsonValue): Prisma.InputJsonValue {
  const text = JSON.stringify(payload)
  if (text.length <= MAX_PAYLOAD) return payload
  return { truncated: text.slice(0, MAX_PAYLOAD).toWellFormed(), characters: text.length }
}

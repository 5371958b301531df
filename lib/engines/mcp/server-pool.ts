import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, connect, isEraOutdated } from './connection'
import { type ReadDefinitions, readDefinitions } from './definition'
import {
  type KnownEra,
  type LogLine,
  type ServerAddress,
  ServerTrouble,
} from './transport/server-address'

/** A server as the pool knows it. `version` changes with everything that its connection is made of. */
export type PooledServer = {
  id: string
  version: string
  address: ServerAddress
  era: KnownEra | null
  /** A person waits for it: a program that is downloaded first gets the time for that. */
  isCheck?: boolean
  /** Gets each message while it is connected. */
  onLine?: (line: LogLine) => void
  /** Stops connecting and the first reading of its tools, which says nothing about the server. */
  signal?: AbortSignal
}

/** An open connection with what the server defined when it was asked last; it is asked again after `freshUntil`, ms since 1970. */
export type Lent = { connection: Connection; definitions: ReadDefinitions; freshUntil: number }

type Entry = {
  version: string
  opening: Promise<Connection>
  /** The newest reading of its tools. */
  listing: Promise<Lent>
  readAgain: () => void
  /** When it was used last, ms since 1970. */
  usedAt: number
  /** Number of calls that need this connection, those that wait for its tools included. */
  calls: number
}
type Failure = { version: string; until: number; waitMs: number; error: unknown }

/** However often a server says that its tools changed. */
const betweenReadsMs = 10_000
const idleMs = 10 * 60_000
const everyMs = 30_000
const firstWaitMs = 1_000
const longestWaitMs = 60_000

export type ServerPool = {
  /**
   * Lends the server's connection, which is opened when it is first needed, for one piece of work. That begins a second time
   * when the server did nothing of it because its session had ended.
   */
  lend: <T>(server: PooledServer, work: (lent: Lent) => Promise<T>) => Promise<T>
  /** Reads the tools of a server again, at once also after a failure. */
  refresh: (server: PooledServer) => Promise<Lent>
  /** Closes the connection to a server that was changed or deleted. */
  drop: (id: string) => Promise<void>
  closeAll: () => Promise<void>
}

/** Callbacks of the pool. It awaits `listed`, which stores the tools that were found. */
export type PoolEvents = {
  listed: (id: string, lent: Lent) => Promise<void>
  failed: (id: string, error: unknown) => void
  /** Returns true while the server exists and is switched on. */
  isWanted: (id: string) => Promise<boolean>
}

/**
 * Keeps one connection to each server that is used. Closes those that nobody used for ten minutes, and of servers that were
 * switched off or deleted. The tools are read before a connection is lent, and again when the server says that they changed, or
 * when they were read too long ago.
 * After a failure the next attempt waits, longer each time, and what is asked meanwhile fails at once.
 */
export function serverPool(events: PoolEvents): ServerPool {
  const entries = new Map<string, Entry>()
  const failures = new Map<string, Failure>()
  const timer = setInterval(closeIdle, everyMs)
  timer.unref()

  function closeIdle(): void {
    const before = Date.now() - idleMs
    for (const [id, { usedAt, calls }] of entries) {
      if (calls > 0) continue
      if (usedAt < before) void drop(id)
      else void dropUnwanted(id)
    }
  }

  async function dropUnwanted(id: string): Promise<void> {
    if (!(await events.isWanted(id).catch(() => true))) await drop(id)
  }

  async function drop(id: string): Promise<void> {
    const entry = entries.get(id)
    entries.delete(id)
    failures.delete(id)
    await entry?.opening.then((connection) => connection.close()).catch(() => undefined)
  }

  function open({ id, version, address, era, isCheck, onLine, signal }: PooledServer): Entry {
    const failure = failures.get(id)
    if (failure?.version === version && failure.until > Date.now()) throw failure.error
    const connectAs = (known: KnownEra | null) =>
      connect(address, {
        era: known,
        ...(isCheck && { isCheck }),
        ...(onLine && { onLine }),
        ...(signal && { signal }),
        onToolsChanged: () => readAgain(),
      })
    const read = async (connection: Connection, until?: AbortSignal): Promise<Lent> => {
      const askedAt = Date.now()
      const { tools, freshMs, incomplete } = await connection.listTools(until)
      const definitions = await readDefinitions(tools, {
        inHeaders: connection.inHeaders,
        incomplete,
      })
      const lent = { connection, definitions, freshUntil: askedAt + freshMs }
      if (isInUse()) await events.listed(id, lent)
      return lent
    }
    // The end of a connection that was replaced or dropped is no error of its server.
    const isInUse = () => entries.get(id) === entry
    const readFirst = async (): Promise<Lent> => {
      try {
        return await read(await entry.opening, signal)
      } catch (error) {
        const isNeeded = isInUse() || entry.calls > 0
        if (era === null || !isEraOutdated(error) || !isNeeded) throw error
        await entry.opening.then((connection) => connection.close()).catch(() => undefined)
        entry.opening = connectAs(null)
        return read(await entry.opening, signal)
      }
    }
    const entry: Entry = {
      version,
      opening: connectAs(era),
      listing: Promise.reject(new Error('not read yet')),
      readAgain: () => readAgain(),
      usedAt: Date.now(),
      calls: 0,
    }
    entry.listing.catch(() => undefined)
    entries.set(id, entry)
    entry.listing = readFirst()
    let readAt = Date.now()
    let isWaiting = false
    const readAgain = () => {
      // The reading that has not begun finds this change, too.
      if (isWaiting) return
      isWaiting = true
      // A call that needs the tools waits for this reading.
      const waitMs = Math.max(0, readAt + betweenReadsMs - Date.now())
      readAt = Date.now() + waitMs
      entry.listing = sleep(waitMs, undefined, { ref: false })
        .then(() => {
          isWaiting = false
          return entry.opening
        })
        .then((connection) => read(connection))
      entry.listing.catch((error: unknown) => {
        if (!isInUse()) return
        if (!isSessionEnded(error)) events.failed(id, error)
        retire(id, entry)
      })
    }
    entry.listing.then(
      () => failures.delete(id),
      (error: unknown) => {
        void entry.opening.then((connection) => connection.close()).catch(() => undefined)
        if (!isInUse()) return
        entries.delete(id)
        if (isStopped(error)) return
        const before = failure?.version === version ? failure.waitMs : firstWaitMs / 2
        const waitMs = Math.min(before * 2, longestWaitMs)
        failures.set(id, { version, waitMs, until: Date.now() + waitMs, error })
        events.failed(id, error)
      },
    )
    return entry
  }

  /** Returns what an entry that somebody else opened has to lend; null = its connection ended, or was stopped. */
  async function lentBy(entry: Entry): Promise<Lent | null> {
    const { listing } = entry
    // Cancelling one caller's connect must not cancel the shared attempt.
    const lent = await listing.catch(unlessStopped)
    if (!lent?.connection.isOpen()) return null
    if (entry.listing === listing && lent.freshUntil <= Date.now()) entry.readAgain()
    return entry.listing
  }

  /** Takes a connection out of use. It is closed once nothing needs it. */
  function retire(id: string, entry: Entry): void {
    if (entries.get(id) === entry) entries.delete(id)
    closeUnneeded(id, entry)
  }

  function closeUnneeded(id: string, entry: Entry): void {
    if (entries.get(id) === entry || entry.calls > 0) return
    void entry.opening.then((connection) => connection.close()).catch(() => undefined)
  }

  /** Does work that needs the connection of an entry, from the moment at which it waits for it. */
  async function needing<T>(id: string, entry: Entry, work: () => Promise<T>): Promise<T> {
    entry.calls++
    try {
      return await work()
    } finally {
      entry.calls--
      entry.usedAt = Date.now()
      closeUnneeded(id, entry)
    }
  }

  /** Returns the entry of a server, which others may have opened, unless it is of another version. */
  function knownEntry({ id, version }: PooledServer): Entry | null {
    const known = entries.get(id)
    if (known && known.version !== version) retire(id, known)
    return known?.version === version ? known : null
  }

  async function lendOnce<T>(server: PooledServer, work: (lent: Lent) => Promise<T>): Promise<T> {
    const { id } = server
    const workWith = async (entry: Entry, lent: Lent) => {
      try {
        return await work(lent)
      } catch (error) {
        if (server.address.type !== 'stdio' && isUnusable(error)) retire(id, entry)
        throw error
      }
    }
    for (let known = knownEntry(server); known; known = knownEntry(server)) {
      const entry = known
      const done = await needing(id, entry, async () => {
        const lent = await lentBy(entry)
        if (lent) return { result: await workWith(entry, lent) }
        retire(id, entry)
        return null
      })
      if (done) return done.result
    }
    const entry = open(server)
    return needing(id, entry, async () => workWith(entry, await entry.listing))
  }

  return {
    async lend(server, work) {
      try {
        return await lendOnce(server, work)
      } catch (error) {
        // A server that was started again did nothing for the session before: the work begins anew in a new one, once.
        if (!isSessionEnded(error)) throw error
        return lendOnce(server, work)
      }
    },
    async refresh(server) {
      failures.delete(server.id)
      const known = entries.get(server.id)
      if (known) retire(server.id, known)
      const entry = open(server)
      return needing(server.id, entry, () => entry.listing)
    },
    drop,
    async closeAll() {
      clearInterval(timer)
      await Promise.all([...entries.keys()].map(drop))
    },
  }
}

/** Returns whether connecting ended because whoever began it wanted that. */
export function isStopped(error: unknown): boolean {
  return error instanceof ServerTrouble && error.code === 'stopped'
}

function isSessionEnded(error: unknown): boolean {
  return error instanceof ServerTrouble && error.code === 'session-ended'
}

/** Returns null for work that was stopped. Rethrows everything else. */
function unlessStopped(error: unknown): null {
  if (isStopped(error)) return null
  throw error
}

/**
 * Returns whether nothing is to be expected of a connection over HTTP after this. A server that was started again knows
 * nothing of it, and what still comes of a call that timed out would keep it open.
 */
function isUnusable(error: unknown): boolean {
  return error instanceof ServerTrouble && unusable.has(error.code)
}

const unusable: ReadonlySet<string> = new Set([
  'timed-out',
  'ended',
  'unreachable',
  'not-mcp',
  'session-ended',
  'session-doubted',
])

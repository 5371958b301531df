import { setTimeout as sleep } from 'node:timers/promises'
import { connect, isEraOutdated, type McpConnection } from './connection'
import { type ReadDefinitions, readDefinitions } from './definition'
import {
  type KnownEra,
  type LogLine,
  type ServerAddress,
  ServerError,
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
export type Lease = { connection: McpConnection; definitions: ReadDefinitions; freshUntil: number }

type Failure = { version: string; until: number; waitMs: number; error: unknown }

/** Minimum time between two readings of a server's tools, however often it says that they changed. */
const betweenReadsMs = 10_000
const idleMs = 10 * 60_000
const idleCheckMs = 30_000
const initialBackoffMs = 1_000
const maxBackoffMs = 60_000

export type ServerPool = {
  /**
   * Lends the server's connection, which is opened when it is first needed, for one piece of work. That begins a second time
   * when the server did nothing of it because its session had ended.
   */
  lend: <T>(server: PooledServer, work: (lent: Lease) => Promise<T>) => Promise<T>
  /** Reads the tools of a server again, at once also after a failure. */
  refresh: (server: PooledServer) => Promise<Lease>
  /** Lets the next use try again at once, because what a server refused is otherwise now. */
  forgetFailure: (id: string) => void
  /** Closes the connection to a server that was changed or deleted. */
  drop: (id: string) => Promise<void>
  closeAll: () => Promise<void>
}

/** Callbacks of the pool. It awaits `listed`, which stores the tools that were found. */
export type PoolEvents = {
  listed: (id: string, lent: Lease) => Promise<void>
  failed: (id: string, error: unknown) => void
  /** Returns true while the server exists and is switched on. */
  isWanted: (id: string) => Promise<boolean>
}

/** Callbacks of a connection to its pool. */
type EntryEvents = {
  /** Returns false once it was replaced or dropped: its end is no error of its server then. */
  isCurrent: () => boolean
  listed: (lent: Lease) => Promise<void>
  /** The tools could not be read again. */
  failedAgain: (error: unknown) => void
}

/** One connection of the pool, which may still be opening, and what its server defined. */
class Entry {
  opening: Promise<McpConnection>
  /** The newest reading of its tools. */
  listing: Promise<Lease>
  /** When it was used last, ms since 1970. */
  usedAt = Date.now()
  /** Number of calls that need this connection, those that wait for its tools included. */
  calls = 0
  private readAt = Date.now()
  private isWaiting = false

  constructor(
    readonly server: PooledServer,
    private readonly events: EntryEvents,
  ) {
    this.opening = this.connectAs(server.era)
    this.listing = this.readFirst()
  }

  private connectAs(era: KnownEra | null): Promise<McpConnection> {
    const { address, isCheck, onLine, signal } = this.server
    return connect(address, {
      era,
      ...(isCheck && { isCheck }),
      ...(onLine && { onLine }),
      ...(signal && { signal }),
      onToolsChanged: () => this.readAgain(),
    })
  }

  private async readFirst(): Promise<Lease> {
    const { era, signal } = this.server
    try {
      return await this.read(await this.opening, signal)
    } catch (error) {
      const isNeeded = this.events.isCurrent() || this.calls > 0
      if (era === null || !isEraOutdated(error) || !isNeeded) throw error
      await this.close()
      this.opening = this.connectAs(null)
      return this.read(await this.opening, signal)
    }
  }

  private async read(connection: McpConnection, until?: AbortSignal): Promise<Lease> {
    const readAt = Date.now()
    const { tools, freshMs, incomplete } = await connection.listTools(until)
    const { inHeaders } = connection
    const definitions = await readDefinitions(tools, { inHeaders, incomplete })
    const lent = { connection, definitions, freshUntil: readAt + freshMs }
    if (this.events.isCurrent()) await this.events.listed(lent)
    return lent
  }

  readAgain(): void {
    // The reading that has not begun finds this change, too.
    if (this.isWaiting) return
    this.isWaiting = true
    // Work that needs the tools meanwhile waits for them.
    const waitMs = Math.max(0, this.readAt + betweenReadsMs - Date.now())
    this.readAt = Date.now() + waitMs
    this.listing = this.readAfter(waitMs)
    this.listing.catch(this.events.failedAgain)
  }

  private async readAfter(waitMs: number): Promise<Lease> {
    await sleep(waitMs, undefined, { ref: false })
    this.isWaiting = false
    return this.read(await this.opening)
  }

  /** Returns what this connection, which somebody else opened, has to lend; null = it ended, or was stopped. */
  async lent(): Promise<Lease | null> {
    const { listing } = this
    // Cancelling one caller's connect must not cancel the shared attempt.
    const lent = await listing.catch(unlessStopped)
    if (!lent?.connection.isOpen()) return null
    if (this.listing === listing && lent.freshUntil <= Date.now()) this.readAgain()
    return this.listing
  }

  async close(): Promise<void> {
    await this.opening.then((connection) => connection.close()).catch(() => undefined)
  }
}

/** The connections of a process, one to each server, and the servers that could not be reached. */
class ServerConnections {
  private readonly entries = new Map<string, Entry>()
  private readonly failures = new Map<string, Failure>()
  private readonly timer = setInterval(() => this.closeIdle(), idleCheckMs)

  constructor(private readonly events: PoolEvents) {
    this.timer.unref()
  }

  private closeIdle(): void {
    const before = Date.now() - idleMs
    for (const [id, { usedAt, calls }] of this.entries) {
      if (calls > 0) continue
      if (usedAt < before) void this.drop(id)
      else void this.dropUnwanted(id)
    }
  }

  private async dropUnwanted(id: string): Promise<void> {
    if (!(await this.events.isWanted(id).catch(() => true))) await this.drop(id)
  }

  async drop(id: string): Promise<void> {
    const entry = this.entries.get(id)
    this.entries.delete(id)
    this.failures.delete(id)
    await entry?.close()
  }

  forgetFailure(id: string): void {
    this.failures.delete(id)
  }

  async closeAll(): Promise<void> {
    clearInterval(this.timer)
    await Promise.all([...this.entries.keys()].map((id) => this.drop(id)))
  }

  private open(server: PooledServer): Entry {
    const { id, version } = server
    const failure = this.failures.get(id)
    const known = failure?.version === version ? failure : null
    if (known && known.until > Date.now()) throw known.error
    const entry: Entry = new Entry(server, {
      isCurrent: () => this.isInUse(entry),
      listed: (lent) => this.events.listed(id, lent),
      failedAgain: (error) => {
        if (!this.isInUse(entry)) return
        if (!isSessionEnded(error)) this.events.failed(id, error)
        this.retire(entry)
      },
    })
    this.entries.set(id, entry)
    entry.listing.then(
      () => this.failures.delete(id),
      (error: unknown) => {
        void entry.close()
        if (this.isInUse(entry)) this.fail(server, error, known)
      },
    )
    return entry
  }

  /** Forgets a connection that could not be opened. The next attempt waits longer than the one before. */
  private fail({ id, version }: PooledServer, error: unknown, before: Failure | null): void {
    this.entries.delete(id)
    if (isStopped(error)) return
    const waitMs = Math.min(before ? before.waitMs * 2 : initialBackoffMs, maxBackoffMs)
    this.failures.set(id, { version, waitMs, until: Date.now() + waitMs, error })
    this.events.failed(id, error)
  }

  private isInUse(entry: Entry): boolean {
    return this.entries.get(entry.server.id) === entry
  }

  /** Takes a connection out of use. It is closed once nothing needs it. */
  private retire(entry: Entry): void {
    if (this.isInUse(entry)) this.entries.delete(entry.server.id)
    this.closeUnneeded(entry)
  }

  private closeUnneeded(entry: Entry): void {
    if (!this.isInUse(entry) && entry.calls === 0) void entry.close()
  }

  /** Does work that needs a connection, from the moment at which it waits for it. */
  private async needing<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
    entry.calls++
    try {
      return await work()
    } finally {
      entry.calls--
      entry.usedAt = Date.now()
      this.closeUnneeded(entry)
    }
  }

  /** Returns the connection of a server, which others may have opened, unless it is of another version. */
  private known({ id, version }: PooledServer): Entry | null {
    const known = this.entries.get(id)
    if (known && known.server.version !== version) this.retire(known)
    return known?.server.version === version ? known : null
  }

  async lend<T>(server: PooledServer, work: (lent: Lease) => Promise<T>): Promise<T> {
    for (let known = this.known(server); known; known = this.known(server)) {
      const entry = known
      const done = await this.needing(entry, async () => {
        const lent = await entry.lent()
        if (lent) return { result: await this.workWith(entry, lent, work) }
        this.retire(entry)
        return null
      })
      if (done) return done.result
    }
    const entry = this.open(server)
    return this.needing(entry, async () => this.workWith(entry, await entry.listing, work))
  }

  private async workWith<T>(
    entry: Entry,
    lent: Lease,
    work: (lent: Lease) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(lent)
    } catch (error) {
      if (entry.server.address.type !== 'stdio' && isUnusable(error)) this.retire(entry)
      throw error
    }
  }

  async refresh(server: PooledServer): Promise<Lease> {
    this.failures.delete(server.id)
    const known = this.entries.get(server.id)
    if (known) this.retire(known)
    const entry = this.open(server)
    return this.needing(entry, () => entry.listing)
  }
}

/**
 * Keeps one connection to each server that is used. Closes those that nobody used for ten minutes, and of servers that were
 * switched off or deleted. The tools are read before a connection is lent, and again when the server says that they changed, or
 * when they were read too long ago.
 * After a failure the next attempt waits, longer each time, and what is asked meanwhile fails at once.
 */
export function serverPool(events: PoolEvents): ServerPool {
  const connections = new ServerConnections(events)
  return {
    async lend(server, work) {
      try {
        return await connections.lend(server, work)
      } catch (error) {
        // A server that was started again did nothing for the session before: the work begins anew in a new one, once.
        if (!isSessionEnded(error)) throw error
        return connections.lend(server, work)
      }
    },
    refresh: (server) => connections.refresh(server),
    forgetFailure: (id) => connections.forgetFailure(id),
    drop: (id) => connections.drop(id),
    closeAll: () => connections.closeAll(),
  }
}

/** Returns whether connecting ended because whoever began it wanted that. */
export function isStopped(error: unknown): boolean {
  return error instanceof ServerError && error.code === 'stopped'
}

function isSessionEnded(error: unknown): boolean {
  return error instanceof ServerError && error.code === 'session-ended'
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
  return error instanceof ServerError && unusable.has(error.code)
}

const unusable: ReadonlySet<string> = new Set([
  'sign-in',
  'timed-out',
  'ended',
  'unreachable',
  'not-mcp',
  'session-ended',
  'session-doubted',
])

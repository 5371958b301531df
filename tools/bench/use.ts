import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Use of PostgreSQL so far; the difference of two is the cost of the work between them. */
export type DatabaseUse = { cpuMs: number; walBytes: number }

/** A tick of /proc, as nearly every Linux has it. */
const tickMs = 10

/** Reads the CPU of all processes of this client's server, also of those that ended, and the length of its log. */
export async function readDatabaseUse(client: pg.Client): Promise<DatabaseUse> {
  const { rows } = await client.query<{ pid: number; wal: string }>(
    "SELECT pg_backend_pid() AS pid, pg_current_wal_lsn() - '0/0'::pg_lsn AS wal",
  )
  return { cpuMs: postgresCpuMs(rows[0]?.pid ?? 0), walBytes: Number(rows[0]?.wal) }
}

/** Returns the CPU that this process has used so far, in milliseconds. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the CPU that another process has used so far, in milliseconds; NaN without /proc. */
export function cpuMsOf(pid: number): number {
  return (statOf(pid)?.own ?? Number.NaN) * tickMs
}

export type CountedStatements = { count: () => number; stop: () => void }

/** Counts what all clients of this process send, except `own`. */
export function countStatements(own?: pg.Client): CountedStatements {
  const { prototype } = pg.Client
  const query = prototype.query
  let sent = 0
  const counted = function (this: pg.Client, ...given: unknown[]): unknown {
    if (this !== own) sent++
    return Reflect.apply(query, this, given)
  }
  Reflect.set(prototype, 'query', counted)
  return { count: () => sent, stop: () => void Reflect.set(prototype, 'query', query) }
}

/** Returns the CPU that the server of this backend has used so far, in milliseconds; NaN without /proc. */
function postgresCpuMs(backend: number): number {
  const server = statOf(backend)?.parent
  const whole = server === undefined ? null : statOf(server)
  if (!whole) return Number.NaN
  const children = readdirSync('/proc')
    .map((name) => (/^\d+$/.test(name) ? statOf(Number(name)) : null))
    .filter((stat) => stat?.parent === server)
  const ticks = children.reduce((sum, stat) => sum + (stat?.own ?? 0), whole.own + whole.ended)
  return ticks * tickMs
}

/** Returns the parent of a process, its own ticks, and those of its children that ended; null when it is gone. */
function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may have blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const at = (field: number) => fields[field] ?? 0
    return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) }
  } catch {
    return null
  }
}

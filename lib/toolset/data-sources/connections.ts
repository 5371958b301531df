import { Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseAddress } from '@/lib/domains/data-sources/shared/database-address'
import { checkedSocket } from '@/lib/engines/egress/egress-connector'
import type {
  AskedDatabase,
  DatabaseIdentity,
  RoleConnection,
} from '@/lib/engines/tools/data/transactions'

/**
 * A database that tools may ask. `own`: the console's own, or another one, which must not be the console's own by another name.
 */
type DatabaseTarget =
  | { type: 'own'; url: string }
  | { type: 'other'; address: DatabaseAddress; privateAllowed: boolean; own: DatabaseIdentity }

type Login = { role: string; password: string }

const limits = {
  max: 2,
  idleTimeoutMillis: 60_000,
  connectionTimeoutMillis: 5_000,
  allowExitOnIdle: true,
  application_name: 'toolgate-data',
}

type Opened = { version: string; pool: pg.Pool }
const opened = new Map<string, Opened>()

/** Names a target for its pool. `version` is another one when anything of it changed: the old connections are closed then. */
type PooledTarget = { id: string; version: string; target: DatabaseTarget }

/** Returns a database as tools ask it: over connections that are kept. */
export function openDatabase(pooled: PooledTarget): AskedDatabase {
  const { target } = pooled
  return {
    connect: () => poolOf(pooled).connect(),
    connectAs: (login) => connectAs(target, login),
    mustNotBe: target.type === 'own' ? null : target.own,
  }
}

function poolOf({ id, version, target }: PooledTarget): pg.Pool {
  const found = opened.get(id)
  if (found?.version === version) return found.pool
  const pool = new pg.Pool({ ...optionsOf(target), ...limits })
  // The pool replaces a broken idle connection. Without a listener, it would end the process.
  pool.on('error', () => undefined)
  opened.set(id, { version, pool })
  void found?.pool.end()
  return pool
}

/** Closes the connections to a database that is no longer asked. */
export async function closePool(id: string): Promise<void> {
  const found = opened.get(id)
  opened.delete(id)
  await found?.pool.end()
}

function optionsOf(target: DatabaseTarget): pg.ClientConfig {
  if (target.type === 'own') return { connectionString: target.url }
  const { host, port, database, user, password, sslMode } = target.address
  return {
    host,
    port,
    database,
    user,
    // Given as a function, so that no password of this server's environment stands in for an empty one.
    password: () => password,
    ssl: sslMode === 'disable' ? false : { rejectUnauthorized: sslMode === 'verify-full' },
    stream: () => checkedSocket({ privateAllowed: target.privateAllowed }),
  }
}

/** Returns a connection of another user, which is not open yet. */
function connectAs(target: DatabaseTarget, { role, password }: Login): RoleConnection {
  const socket =
    target.type === 'own' ? new Socket() : checkedSocket({ privateAllowed: target.privateAllowed })
  const connection = { received: () => socket.bytesRead, cut: () => void socket.destroy() }
  const made = {
    stream: () => socket,
    application_name: 'toolgate-query',
    connectionTimeoutMillis: 5_000,
  }
  const options = optionsOf(withLogin(target, { role, password }))
  return { ...connection, client: new pg.Client({ ...options, ...made }) }
}

function withLogin(target: DatabaseTarget, { role, password }: Login): DatabaseTarget {
  if (target.type === 'other')
    return { ...target, address: { ...target.address, user: role, password } }
  const url = new URL(target.url)
  url.username = role
  url.password = password
  return { type: 'own', url: url.href }
}

import 'server-only'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { DiscoverResult } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { openPairs, requireServer, type StoredServer } from '@/lib/domains/servers/stored'
import {
  type Lease,
  type PooledServer,
  type ServerPool,
  serverPool,
} from '@/lib/engines/mcp/server-pool'
import {
  type KnownEra,
  type LogLine,
  type ServerAddress,
  ServerError,
} from '@/lib/engines/mcp/transport/server-address'
import { db, type Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { processState } from '@/lib/kernel/process-state'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { storeFound, storeServerError } from './store-found'

const opened = processState<ServerPool | undefined>(() => undefined)

/** Returns the connections of this process. */
function pool(): ServerPool {
  opened.value ??= openPool()
  return opened.value
}

function openPool(): ServerPool {
  const connections = serverPool({
    listed: (id, { connection, definitions }) =>
      storeFound(id, { facts: connection.facts, era: connection.era, definitions }),
    failed: (id, error) => {
      storeServerError(id, error).catch((cause: unknown) =>
        log.error({ source: 'servers', err: cause }, 'The state of a server could not be stored.'),
      )
    },
    isWanted: async (id) => (await db().server.count({ where: { id, enabled: true } })) > 0,
  })
  const close = () => void connections.closeAll()
  shutdownSignal.addEventListener('abort', close, { once: true })
  const closeAll = async () => {
    shutdownSignal.removeEventListener('abort', close)
    await connections.closeAll()
  }
  return { ...connections, closeAll }
}

/** Ends the connections of this process. The next use opens them again. */
export async function closeServers(): Promise<void> {
  await opened.value?.closeAll()
  opened.value = undefined
}

/** Lends the connection to a server for one piece of work. Throws ServerError when it is off or cannot be reached. */
export async function withServer<T>(id: string, work: (lent: Lease) => Promise<T>): Promise<T> {
  const row = await requireServer(db(), id)
  if (!row.enabled) throw new ServerError('refused', `The server ${row.name} is switched off.`)
  return pool().lend(await pooled(db(), row), work)
}

/** Watcher of a connecting server. */
export type Watch = { onLine: (line: LogLine) => void; signal?: AbortSignal }

/**
 * Connects to a server anew and reads its tools, until `signal` stops that; `onLine` gets each message on the way. Throws
 * ServerError.
 */
export async function refreshServer(id: string, watch: Watch): Promise<Lease> {
  const row = await requireServer(db(), id)
  const server = await pooled(db(), row)
  // A program that ends when it is asked for its era would be started twice at each check.
  const era = row.kind === 'stdio' ? server.era : null
  return pool().refresh({ ...server, era, isCheck: true, ...watch })
}

async function pooled(client: Tx, row: StoredServer): Promise<PooledServer> {
  const address = await addressOf(client, row)
  // Hash of the address and its secrets, so that a connection with an old secret is not used again.
  const version = createHash('sha256').update(JSON.stringify(address)).digest('hex')
  return { id: row.id, version, address, era: knownEra(row) }
}

async function addressOf(client: Tx, row: StoredServer): Promise<ServerAddress> {
  const { kind, url, words, cwd, privateAddressAllowed } = row
  if (kind === 'stdio') {
    const environment = await openPairs(client, 'variables', row.variablesSecretId)
    return { type: 'stdio', command: words, environment, cwd, hiddenFolders: hiddenFolders() }
  }
  if (url === null) throw new ServerError('unreachable', 'The server has no address.')
  const headers = await openPairs(client, 'headers', row.headersSecretId)
  return { type: kind, url, headers, privateAddressAllowed }
}

/** Returns the folder with the keys and the database of this installation, which are nothing for a server. */
function hiddenFolders(): string[] {
  return [path.resolve(env().TOOLGATE_DATA_DIR)].filter((folder) => existsSync(folder))
}

const KnownEraRecord = z.discriminatedUnion('type', [
  z.object({ type: z.literal('legacy') }),
  z.object({
    type: z.literal('modern'),
    discover: z.custom<DiscoverResult>((value) => typeof value === 'object' && value !== null),
  }),
])

/** An old server may have been updated since: after a week it is asked again. */
const eraLastsMs = 7 * 24 * 3_600_000

function knownEra({ era, eraAt }: StoredServer): KnownEra | null {
  if (eraAt === null || Date.now() - eraAt.getTime() > eraLastsMs) return null
  return KnownEraRecord.safeParse(era).data ?? null
}

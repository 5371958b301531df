import 'server-only'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { DiscoverResult } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { siteOwner } from '@/lib/domains/servers/accounts'
import { openPairs, requireServer, type StoredServer } from '@/lib/domains/servers/stored'
import type { ReadDefinitions } from '@/lib/engines/mcp/definition'
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
import {
  accountFor,
  isAboutAccount,
  isRenewed,
  noteRefused,
  type UsedAccount,
} from './accounts/used-account'
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
      storeFound(serverOf(id), {
        facts: connection.facts,
        era: connection.era,
        definitions: isOfPerson(id) ? asOnePerson(definitions) : definitions,
      }),
    failed: (id, error) => {
      // The account of one person says nothing about the server.
      if (isOfPerson(id) && isAboutAccount(error)) return
      storeServerError(serverOf(id), error).catch((cause: unknown) =>
        log.error({ source: 'servers', err: cause }, 'The state of a server could not be stored.'),
      )
    },
    isWanted: async (id) => {
      const owner = ownerIn(id)
      const accounts = owner === null ? {} : { accounts: { some: { owner, usable: true } } }
      return (
        (await db().server.count({ where: { id: serverOf(id), enabled: true, ...accounts } })) > 0
      )
    },
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

/**
 * Lends the connection to a server for one piece of work of this person, with the account that the server is used with. Throws
 * ServerError when it is off or cannot be reached, or when the account is missing.
 */
export async function withServer<T>(
  id: string,
  userId: string,
  work: (lent: Lease) => Promise<T>,
): Promise<T> {
  const row = await requireServer(db(), id)
  if (!row.enabled) throw new ServerError('refused', `The server ${row.name} is switched off.`)
  const account = await accountFor(row, userId)
  const server = await pooled(db(), row, account)
  if (account === null) return pool().lend(server, work)
  try {
    return await pool().lend(server, work)
  } catch (error) {
    if (!(await isRenewed(error, account))) throw error
    // A server ran nothing of what it answered with 401 (RFC 9110, 15.5.2). A connection that failed is not waited for.
    pool().forgetFailure(server.id)
    return pool()
      .lend(server, work)
      .catch(async (again: unknown) => {
        await noteRefused(again, account)
        throw again
      })
  }
}

/** Watcher of a connecting server. */
export type Watch = { onLine: (line: LogLine) => void; signal?: AbortSignal }

/**
 * Connects to a server anew and reads its tools, until `signal` stops that; `onLine` gets each message on the way. Throws
 * ServerError.
 */
export async function refreshServer(id: string, userId: string, watch: Watch): Promise<Lease> {
  const row = await requireServer(db(), id)
  const account = await accountFor(row, userId)
  const server = await pooled(db(), row, account)
  // A program that ends when it is asked for its era would be started twice at each check.
  const era = row.kind === 'stdio' ? server.era : null
  return pool().refresh({ ...server, era, isCheck: true, ...watch })
}

async function pooled(
  client: Tx,
  row: StoredServer,
  account: UsedAccount | null,
): Promise<PooledServer> {
  const plain = await addressOf(client, row)
  // Hash of the address and its secrets, so that a connection with an old secret, or of an earlier account, is not used again.
  const made = JSON.stringify([plain, account?.id])
  const version = createHash('sha256').update(made).digest('hex')
  const isStdio = plain.type === 'stdio'
  const address = account === null || isStdio ? plain : { ...plain, token: account.token }
  const id = account === null ? row.id : `${row.id}${ofOwner}${account.key.owner}`
  return { id, version, address, era: knownEra(row) }
}

/** In the pool, connections of different accounts are those of different servers. */
const ofOwner = ' of '
const serverOf = (id: string): string => id.split(ofOwner, 1)[0] ?? id
const ownerIn = (id: string): string | null => id.split(ofOwner)[1] ?? null

function isOfPerson(id: string): boolean {
  const owner = ownerIn(id)
  return owner !== null && owner !== siteOwner
}

/** Returns the tools that one person sees: others may see more, so what is missing is not gone. */
function asOnePerson(definitions: ReadDefinitions): ReadDefinitions {
  return { ...definitions, incomplete: definitions.incomplete ?? 'Others may see more tools.' }
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

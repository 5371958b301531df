import 'server-only'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openableColumns } from '@/lib/domains/data-sources/denylist'
import { dataSources } from '@/lib/domains/data-sources/shape'
import { requireDataSource, type StoredSource } from '@/lib/domains/data-sources/stored'
import { openSecret, storeSecret } from '@/lib/domains/vault/secrets'
import { changed, verb } from '@/lib/edge/verb'
import { nameOf, readTables } from '@/lib/engines/tools/data/catalogue'
import {
  createQueryRole,
  dropQueryRole,
  grantTables,
  QueryRoleError,
  type QueryTable,
  queryRoleOf,
} from '@/lib/engines/tools/data/query-role'
import { type QueryResult, RolePowersError, runAsRole } from '@/lib/engines/tools/data/role-query'
import type { Ask } from '@/lib/engines/tools/data/transactions'
import { db, type Tx } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { ToolError } from '@/lib/protocol/tool'
import { databaseOf, manageSource, sourceProblem } from './open-source'

const { write } = dataSources.scopes
const longestMs = 15_000

/** Makes the role as which queries of a data source run. */
export const allowQueries = verb({
  name: 'data-source.allow-queries',
  role: 'admin',
  scope: write,
  summary:
    'Lets run_query run SQL on a data source. It makes a role in the database that may read the opened columns alone.',
  reason: 'optional',
  needsReauthentication: () => true,
  input: z.object({ id: z.string() }),
  transaction: 'later',
  run: async ({ change }, { id }) => {
    const source = await requireDataSource(db(), id)
    if (source.querySecretId !== null) throw new ConflictError('Queries are allowed already.')
    const role = queryRoleOf(source.id)
    const password = randomBytes(24).toString('base64url')
    await manage(source, async (ask) => {
      await createQueryRole(ask, { role, password })
      await grantTables(ask, role, await presentTables(ask, source))
    })
    try {
      await change(async (tx) => {
        const secret = { purpose: 'data-source-queries', plaintext: password, hidden: true }
        const { id: querySecretId } = await storeSecret(tx, secret)
        await tx.dataSource.update({ where: { id: source.id }, data: { querySecretId } })
        return changed(undefined, {
          subject: source.id,
          ...audited(source, { allowed: true }),
        })
      })
    } catch (error) {
      await manage(source, (ask) => dropQueryRole(ask, role)).catch(logFailure)
      throw error
    }
  },
})

/** Takes away the role as which queries of a data source run. */
export const refuseQueries = verb({
  name: 'data-source.refuse-queries',
  role: 'admin',
  scope: write,
  summary:
    'Ends queries of a data source, and drops their role in the database. Says why the role could not be dropped.',
  reason: 'optional',
  input: z.object({ id: z.string() }),
  output: z.object({ trouble: z.string().nullable() }),
  transaction: 'later',
  run: async ({ change }, { id }) => {
    const source = await requireDataSource(db(), id)
    const { querySecretId } = source
    if (querySecretId === null) throw new ConflictError('Queries are not allowed.')
    const role = queryRoleOf(source.id)
    await change(async (tx) => {
      await tx.dataSource.update({ where: { id: source.id }, data: { querySecretId: null } })
      await tx.vaultSecret.delete({ where: { id: querySecretId } })
      return changed(undefined, {
        subject: source.id,
        ...audited(source, { allowed: false }),
      })
    })
    try {
      await manage(source, (ask) => dropQueryRole(ask, role))
      return { trouble: null }
    } catch (error) {
      logFailure(error)
      return { trouble: `The role ${role} is still in the database. Drop it there by hand.` }
    }
  },
})

function audited({ name }: StoredSource, { allowed }: { allowed: boolean }) {
  return { before: { name, queries: !allowed }, after: { name, queries: allowed } }
}

/** Gives the role of the queries what is open now. A failure is only logged: before each query the role is checked. */
export async function renewGrants(id: string): Promise<void> {
  try {
    const source = await requireDataSource(db(), id)
    if (source.querySecretId !== null) await renew(source)
  } catch (error) {
    logFailure(error)
  }
}

async function renew(source: StoredSource): Promise<void> {
  await manage(source, async (ask) =>
    grantTables(ask, queryRoleOf(source.id), await presentTables(ask, source)),
  )
}

/** Runs one query on a data source, for a tool. Throws ToolError when its role is not as it must be. */
export async function querySource(
  client: Tx,
  source: StoredSource,
  { sql, signal }: { sql: string; signal: AbortSignal },
): Promise<QueryResult> {
  const { querySecretId } = source
  if (querySecretId === null) throw new Error('Queries are not allowed on this data source.')
  const login = { role: queryRoleOf(source.id), password: await openSecret(client, querySecretId) }
  const request = {
    database: await databaseOf(client, source),
    login,
    tables: queryTables(source),
    signal,
  }
  try {
    return await runAsRole({ ...request, isWhole: true }, sql)
  } catch (error) {
    if (!(error instanceof RolePowersError)) throw error
    if (!error.isRenewable) throw unsafe(error)
  }
  await renew(source).catch(logFailure)
  try {
    return await runAsRole({ ...request, isWhole: false }, sql)
  } catch (error) {
    throw error instanceof RolePowersError ? unsafe(error) : error
  }
}

function unsafe({ message }: RolePowersError): ToolError {
  return new ToolError(
    'unsafe',
    `Nothing was run: ${message}. An admin of the database must change that first.`,
  )
}

/** Returns what queries may read. Tables with a mark of deleted rows are left out, because a query would see those rows. */
function queryTables({ kind, tables }: StoredSource): QueryTable[] {
  return tables.flatMap((table) => {
    const { schema, name, columns, deletedColumn } = table
    const open = kind === 'console' ? openableColumns(table, columns) : columns
    return deletedColumn === null && open.length > 0 ? [{ schema, name, columns: open }] : []
  })
}

/** Returns what queries may read of what the database has now. */
async function presentTables(ask: Ask, source: StoredSource): Promise<QueryTable[]> {
  const wanted = queryTables(source)
  const found = new Map((await readTables(ask, wanted)).map((table) => [nameOf(table), table]))
  return wanted.flatMap(({ columns, ...named }) => {
    const present = new Set(found.get(nameOf(named))?.columns.map(({ name }) => name))
    const open = columns.filter((column) => present.has(column))
    return open.length > 0 ? [{ ...named, columns: open }] : []
  })
}

async function manage<T>(source: StoredSource, work: (ask: Ask) => Promise<T>): Promise<T> {
  try {
    return await manageSource(db(), source, AbortSignal.timeout(longestMs), work)
  } catch (error) {
    if (error instanceof QueryRoleError) throw new ConflictError(error.message)
    throw new ConflictError(`The role of the queries could not be changed. ${sourceProblem(error)}`)
  }
}

function logFailure(err: unknown): void {
  log.warn({ source: 'data-sources', err }, 'The role of queries could not be changed')
}

import './bench/quiet-log'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encode } from 'next-auth/jwt'
import pg from 'pg'
import { sessionCookieName, sessionLifetimeSeconds } from '@/lib/auth/session-cookie'
import { rollUpUsage } from '@/lib/domains/usage/usage-rows'
import { freePort } from '@/lib/installation/embedded-postgres'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { database } from '@/lib/kernel/db'
import { ApiScope } from '@/lib/protocol/api-scope'
import { db } from '@/tests/support/fixture-db'
import { startStandaloneServer } from '@/tests/support/standalone-server'
import { printTable } from './bench/print-table'
import { openScratchSite } from './bench/scratch-site'
import { startModelProcess } from './bench/start-model-process'
import { measureBackup } from './scale/backup'
import { measureBrowser } from './scale/browser'
import { printFilters } from './scale/filters'
import { seed } from './scale/seed'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200000' },
    events: { type: 'string' },
    usage: { type: 'string' },
    part: { type: 'string' },
    megabytes: { type: 'string', default: '2000' },
  },
})
const { part } = values
/** Files are two thirds of what the part `backup` measures, and runs with their events one. */
const fileMegabytes = Math.round((Number(values.megabytes) * 2) / 3)
const runsOf = { browser: 20, backup: Number(values.megabytes) * 15 }
const runs = part === 'browser' || part === 'backup' ? runsOf[part] : Number(values.runs)
const size = {
  runs,
  events: Number(values.events ?? runs * 20),
  usage: Number(values.usage ?? runs * 5),
}

const goalMs = 200
/** The goal for searches and for the first page, which says several things at once. */
const severalGoalMs = 300
const goalKb = 150
const idleGoal = 2
/** A server asks more often in its first half minute. */
const startSeconds = 40
const idleSeconds = 30
const times = 5

/** Opened resources, in order. */
const opened: { close: () => Promise<void> }[] = []
async function closeAll(): Promise<void> {
  for (const thing of opened.splice(0).reverse()) await thing.close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeAll().finally(() => process.exit(1)))
}

/**
 * Measures filters of runs, every page and every list of the API on a history of the given size, in a database of its own, and
 * then a backup of about so many megabytes and its restore.
 */
async function main(): Promise<void> {
  if (part !== 'filters' && part !== 'backup' && !existsSync('.next/standalone/server.js'))
    throw new Error('Nothing is built yet: npm run build')
  const model = await startModelProcess()
  opened.push(model)
  const site = await openScratchSite(model.url, {
    shared_preload_libraries: 'pg_stat_statements',
  })
  opened.push(site)
  const client = new pg.Client({ connectionString: site.env.DATABASE_URL })
  await client.connect()
  opened.push({ close: () => client.end() })
  const longRun = await timed('Seeded', () => seed(client, site.admin, size))
  if (part === 'backup') return measureBackup(client, site, fileMegabytes)
  await timed('Rolled up', rollUpAll)
  await timed('Analysed', () => client.query('VACUUM ANALYZE'))
  if (part !== 'browser') {
    const { id } = await db().model.findFirstOrThrow({ where: { modelId: 'small-2' } })
    await printFilters(client, site.admin, id)
  }
  if (part === 'filters') return
  await client.query('CREATE EXTENSION pg_stat_statements')
  const toolsFolder = path.resolve('tests/support/extra-tools')
  const env = { ...site.env, TOOLGATE_EXTRA_TOOLS_DIR: toolsFolder }
  const server = await startStandaloneServer(await freePort(47_000), env)
  opened.push({ close: () => server.stop() })
  const { baseUrl } = server
  const cookie = await cookieOf(site.admin)
  const scopes = [...ApiScope.options]
  const { token } = await createApiKey(site.admin, { name: 'Scale', scopes })
  if (part !== 'browser') {
    await printIdle(client)
    const headers = { page: { cookie }, api: { authorization: `Bearer ${token}` } }
    await printPages(client, baseUrl, headers, longRun)
  }
  if (part !== 'pages') {
    const rows = await measureBrowser(
      { baseUrl, modelUrl: model.url, cookie, apiKey: token },
      longRun,
    )
    const cells = rows.map(({ what, figures, missed }) => [what, figures, missed.join(', ')])
    printTable(['in the browser', 'measured', 'goal missed'], cells)
  }
  if (part === undefined) await measureBackup(client, site, fileMegabytes)
}

async function rollUpAll(): Promise<void> {
  while ((await db().run.count({ where: { rolledUp: false }, take: 1 })) > 0)
    await rollUpUsage(database())
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  console.log(`${what} in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
  return result
}

/** Returns the cookie of a new session. */
async function cookieOf({ actor }: Ctx): Promise<string> {
  const expiresAt = new Date(Date.now() + sessionLifetimeSeconds * 1000)
  const { id } = await db().session.create({ data: { userId: actor.userId, expiresAt } })
  const secret = String(process.env.NEXTAUTH_SECRET)
  return `${sessionCookieName()}=${await encode({ token: { sid: id }, secret })}`
}

async function statements(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ calls: string }>(
    `SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'`,
  )
  return Number(rows[0]?.calls)
}

/** Prints what a server asks that has nothing to do, the most frequent statements first. */
async function printIdle(client: pg.Client): Promise<void> {
  await wait(startSeconds * 1000)
  await client.query('SELECT pg_stat_statements_reset()')
  await wait(idleSeconds * 1000)
  const rate = (await statements(client)) / idleSeconds
  const often = await client.query<{ calls: string; query: string }>(
    `SELECT calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS query FROM pg_stat_statements
     WHERE query NOT LIKE '%pg_stat_statements%' ORDER BY calls DESC LIMIT 12`,
  )
  const connected = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  const count = connected.rows[0]?.count
  console.log(
    `Idle: ${rate.toFixed(2)} statements a second (goal ${idleGoal}), ${count} connections.`,
  )
  for (const { calls, query } of often.rows) {
    console.log(`  ${(Number(calls) / idleSeconds).toFixed(2)} ${query}`)
  }
  console.log()
}

type Asked = { path: string; as: 'page' | 'api'; goal?: number }

async function readPaths(longRun: string): Promise<Asked[]> {
  const [last] = await db().run.findMany({ orderBy: [{ createdAt: 'asc' }], skip: 60, take: 1 })
  const [configuration, model, user] = await Promise.all([
    db().configuration.findFirstOrThrow({ where: { identifier: 'configuration-3' } }),
    db().model.findFirstOrThrow({ where: { modelId: 'small-2' } }),
    db().user.findFirstOrThrow({ where: { email: 'person-7@example.org' } }),
  ])
  const pages = [
    '/runs',
    `/runs?page=9000&cursor=${last?.id}`,
    '/runs?state=cancelled',
    `/runs?configuration=${configuration.id}`,
    `/runs?model=${model.id}`,
    '/runs?tool=get_env',
    '/runs?sort=-cost',
    `/runs/${longRun}`,
    ...['24h', '30d', '90d', '12m'].map((period) => `/usage?period=${period}`),
    ...['configuration', 'user', 'tool', 'day'].map((by) => `/usage?period=12m&by=${by}`),
    '/usage?period=12m&measure=latency',
    `/usage?period=12m&user=${user.id}`,
    '/audit',
    '/audit?action=run.start',
    '/approvals',
    '/approvals/decided',
    '/playground',
    '/budgets',
    '/configurations',
    `/configurations/${configuration.id}`,
    '/connections',
    '/models',
    `/models/${model.id}`,
    '/tools',
    '/tools/explain',
    '/approvals/rules',
    '/skills',
    '/tasks',
    '/users',
    `/users/${user.id}`,
    '/groups',
    '/settings',
    '/account',
  ]
  const lists = [
    '/runs',
    `/runs?cursor=${last?.id}`,
    '/approvals',
    '/budgets',
    '/configurations',
    '/connections',
    '/models',
    '/tools',
    '/tasks',
    '/skills',
    '/approval-rules',
    '/usage?period=12m',
    '/usage?period=12m&by=user',
    '/usage?period=12m&by=tool',
  ]
  const searches = ['/runs?search=case+123', '/runs?search=certificate', '/runs?search=nowhere']
  return [
    ...pages.map((path) => ({ path, as: 'page' as const })),
    ...['/overview', ...searches].map((path) => ({
      path,
      as: 'page' as const,
      goal: severalGoalMs,
    })),
    ...lists.map((path) => ({ path: `/api/v1${path}`, as: 'api' as const })),
  ]
}

type Headers = Record<'page' | 'api', Record<string, string>>

async function printPages(client: pg.Client, baseUrl: string, headers: Headers, longRun: string) {
  const rows: string[][] = []
  const missed: string[] = []
  for (const { path, as, goal = goalMs } of await readPaths(longRun)) {
    const ask = async () => {
      const began = performance.now()
      const response = await fetch(`${baseUrl}${path}`, {
        headers: headers[as],
        redirect: 'manual',
      })
      const bytes = (await response.arrayBuffer()).byteLength
      return { ms: performance.now() - began, bytes, status: response.status }
    }
    const first = await ask()
    const before = await statements(client)
    const requests = []
    for (let time = 0; time < times; time += 1) requests.push(await ask())
    const each = ((await statements(client)) - before) / times
    const ms =
      requests.map((answer) => answer.ms).toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
    const kb = first.bytes / 1024
    const isList = as === 'page' && !/^\/\w+\/[0-9a-f]{8}-/.test(path)
    const says = [
      ...(first.status === 200 ? [] : [`status ${first.status}`]),
      ...(ms > goal ? [`over ${goal} ms`] : []),
      ...(isList && kb > goalKb ? [`over ${goalKb} KB`] : []),
    ].join(', ')
    if (says) missed.push(path)
    const shown = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    rows.push([shown, ms.toFixed(0), each.toFixed(1), kb.toFixed(0), says])
  }
  printTable(['page or list', 'ms', 'statements', 'KB', 'goal missed'], rows)
  console.log(`\n${rows.length - missed.length} of ${rows.length} meet their goals.`)
}

console.log(`${size.runs} runs, ${size.events} events, ${size.usage} usage records.`)
try {
  await timed('\nMeasured', main)
} finally {
  await closeAll()
}
// Timers of the workflow library would keep the process alive.
process.exit()

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  closeDatabase,
  closeDb,
  type Database,
  database,
  db,
  limitStatements,
  openDatabase,
  pool,
  runDatabase,
  withTransaction,
} from '@/lib/kernel/db'
import { describeError } from '@/lib/kernel/describe-error'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'

const tooLong = {
  code: 'unavailable',
  status: 503,
  message:
    'The database took too long for this, so it was stopped. Narrow it with a filter or a shorter period, or try again when less is going on.',
}

afterEach(async () => {
  limitStatements(0)
  await closeDb()
})

test.each<[string, () => Promise<unknown>]>([
  ['a query', () => db().$queryRaw`SELECT pg_sleep(20)::text`],
  ['a change', () => db().$executeRaw`SELECT pg_sleep(20)`],
  ['a transaction', () => withTransaction((tx) => tx.$queryRaw`SELECT pg_sleep(20)::text`)],
  ['the pool', () => pool().query('SELECT pg_sleep(20)')],
])('%s of a page that takes too long is stopped, and says so', async (_, ask) => {
  await closeDb()
  // The connections below are opened within this time, too.
  limitStatements(3_000)
  const error: unknown = await ask().catch((thrown: unknown) => thrown)
  expect(describeError(error, 'test')).toEqual(tooLong)
  expect(error).not.toBeInstanceOf(AppError)
  expect(error).toMatchObject({ digest: 'database-stopped' })
  expect(await db().user.count()).toBeGreaterThanOrEqual(0)
})

test('a find of a page that waits too long is stopped, too', async () => {
  await closeDb()
  limitStatements(1_000)
  await runDatabase().client.$queryRaw`SELECT 1`
  await withTransaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE groups`
    await expect(db().group.findMany()).rejects.toMatchObject({ digest: 'database-stopped' })
  }, runDatabase().client)
})

test('statements of runs have no limit', async () => {
  await closeDb()
  limitStatements(1_000)
  const { client } = runDatabase()
  expect(await client.$queryRaw`SELECT pg_sleep(1.4)::text AS slept`).toEqual([{ slept: '' }])
})

test('pages that hold all their connections keep no run waiting', async () => {
  const pages = database().pool.options.max ?? 0
  const runs = runDatabase().pool.options.max ?? 0
  expect([pages, pages + runs]).toEqual([
    Math.floor(env().DATABASE_POOL_SIZE / 2),
    env().DATABASE_POOL_SIZE,
  ])
  const held = await Promise.all(Array.from({ length: pages }, () => pool().connect()))
  try {
    expect(await runDatabase().client.$queryRaw`SELECT 1 AS answer`).toEqual([{ answer: 1 }])
    const next = await Promise.race([
      db().$queryRaw`SELECT 1`,
      new Promise((resolve) => setTimeout(resolve, 300, 'waits')),
    ])
    expect(next).toBe('waits')
  } finally {
    for (const client of held) client.release()
  }
})

test.each<[string, () => Promise<unknown>]>([
  ['a find', () => db().user.count()],
  ['the pool', () => pool().query('SELECT 1')],
])('%s of a page that gets no connection in time says so', async (_, ask) => {
  await closeDb()
  limitStatements(1_000)
  const held = await Promise.all(
    Array.from({ length: pool().options.max ?? 0 }, () => pool().connect()),
  )
  try {
    const error: unknown = await ask().catch((thrown: unknown) => thrown)
    expect(describeError(error, 'test')).toEqual({
      ...tooLong,
      message: 'Toolgate has more to ask its database than it may at once. Try again in a moment.',
    })
  } finally {
    for (const client of held) client.release()
  }
})

/** Starts a way to PostgreSQL on which nothing comes through any more once `stop` was called, as from a server that hangs. */
async function stoppableWay() {
  const { hostname, port } = new URL(env().DATABASE_URL)
  const sockets: Socket[] = []
  const server = createServer((from) => {
    const to = connect(Number(port), hostname)
    from.on('data', (data) => to.write(data)).on('close', () => to.destroy())
    to.on('data', (data) => from.write(data)).on('close', () => from.destroy())
    for (const socket of [from, to]) socket.on('error', () => undefined)
    sockets.push(from, to)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(env().DATABASE_URL)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    stop: () => {
      for (const socket of sockets) socket.pause()
    },
    resume: () => {
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test.each<[string, (opened: Database) => Promise<unknown>]>([
  ['a find', ({ client }) => client.user.count()],
  ['the pool', (opened) => opened.pool.query('SELECT 1')],
  ['a transaction', ({ client }) => withTransaction((tx) => tx.user.count(), client)],
])(
  '%s of a page does not wait for a PostgreSQL that hangs, and says that it is away',
  async (_, ask) => {
    const way = await stoppableWay()
    const opened = openDatabase(way.url, 2, 1_500)
    try {
      await ask(opened)
      way.stop()
      const began = performance.now()
      const error: unknown = await ask(opened).catch((thrown: unknown) => thrown)
      expect(describeError(error, 'test')).toMatchObject({ code: 'unavailable', status: 503 })
      expect(error).toMatchObject({ digest: 'database-away' })
      expect(performance.now() - began).toBeLessThan(15_000)
    } finally {
      way.close()
      await closeDatabase(opened)
    }
  },
)

test('a transaction that a hanging PostgreSQL cut short is not gone on with by the next of its pool', async () => {
  const way = await stoppableWay()
  const opened = openDatabase(way.url, 1, 400)
  try {
    const cut = withTransaction(async (tx) => {
      await tx.$executeRaw`SELECT set_config('toolgate.begun', 'by another', true)`
      way.stop()
      await tx.$executeRaw`SELECT 1`
    }, opened.client)
    await expect(cut).rejects.toMatchObject({ digest: 'database-away' })
    way.resume()
    const { rows } = await opened.pool.query(
      `SELECT coalesce(current_setting('toolgate.begun', true), '') AS begun`,
    )
    expect(rows).toEqual([{ begun: '' }])
  } finally {
    way.close()
    await closeDatabase(opened)
  }
})

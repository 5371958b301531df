import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDb } from '@/lib/kernel/db'
import { checkDatabase } from './check-database'

let server: Server
const sockets = new Set<Socket>()
/** Answer of the server that listens in place of PostgreSQL. */
let answer: (socket: Socket) => void

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const secret = () => randomBytes(32).toString('base64')
  Object.assign(process.env, {
    DATABASE_URL: `postgresql://nobody@127.0.0.1:${port}/none`,
    NEXTAUTH_SECRET: secret(),
    TOOLGATE_VAULT_KEY: secret(),
  })
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  server.close()
  await closeDb()
})

/** Returns an error as PostgreSQL sends it. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from('E'), length, fields])
}

test.each([
  ['starting', 'the database system is starting up'],
  ['starting', 'the database system is in recovery mode'],
  ['unreachable', 'the database system is shutting down'],
])('says %s when PostgreSQL says that %s', async (state, message) => {
  answer = (socket) => socket.end(errorResponse('57P03', message))
  expect(await checkDatabase()).toBe(state)
})

test('says crowded when PostgreSQL has no connection left', async () => {
  answer = (socket) => socket.end(errorResponse('53300', 'sorry, too many clients already'))
  expect(await checkDatabase()).toBe('crowded')
})

test('says unreachable after 2 s when nothing answers', async () => {
  answer = () => undefined
  const askedAt = performance.now()
  expect(await checkDatabase()).toBe('unreachable')
  const tookMs = performance.now() - askedAt
  expect(tookMs).toBeGreaterThan(1_900)
  expect(tookMs).toBeLessThan(10_000)
})

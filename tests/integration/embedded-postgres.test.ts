import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startEmbeddedPostgres } from '@/lib/installation/embedded-postgres'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-postgres-'))
})
afterAll(() => rm(folder, { recursive: true }))

const passwordFile = () => path.join(folder, 'database-password')

async function postmaster(): Promise<number> {
  const text = await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

test('two start it at once and share it; the last one to let go stops it', async () => {
  const [first, second] = await Promise.all([
    startEmbeddedPostgres(folder),
    startEmbeddedPostgres(folder),
  ])
  expect(first.urlOf('postgres')).toBe(second.urlOf('postgres'))
  await first.release()
  expect(await ask(second.urlOf('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await second.release()
  await expect(ask(second.urlOf('postgres'), 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
})

test('a process that starts it while the last one stops it gets a running server', async () => {
  const last = await startEmbeddedPostgres(folder)
  const [next] = await Promise.all([startEmbeddedPostgres(folder), last.release()])
  expect(await ask(next.urlOf('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await next.release()
})

test('stored rows are there after a restart, on the same port', async () => {
  const before = await startEmbeddedPostgres(folder)
  await ask(before.urlOf('postgres'), 'CREATE TABLE kept AS SELECT 42 AS value')
  await before.release()
  const after = await startEmbeddedPostgres(folder)
  expect(after.urlOf('postgres')).toBe(before.urlOf('postgres'))
  expect(await ask(after.urlOf('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 42 }])
  await after.release()
})

test('a process that starts it at the moment it stopped does not keep the last one waiting', async () => {
  const last = await startEmbeddedPostgres(folder)
  const stopped = await postmaster()
  const release = last.release()
  while ((await postmaster().catch(() => undefined)) === stopped) await nextTurn()
  const next = await startEmbeddedPostgres(folder)
  await release
  expect(await ask(next.urlOf('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await next.release()
})

test('a server that was killed is started again while we use it, and stops when we let go', async () => {
  const server = await startEmbeddedPostgres(folder)
  const pid = await postmaster()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => postmaster().catch(() => pid)).not.toBe(pid)
  const answer = () => ask(server.urlOf('postgres'), 'SELECT 1 AS one').catch(() => 'not yet')
  await expect.poll(answer).toEqual([{ one: 1 }])
  await server.release()
  await expect(ask(server.urlOf('postgres'), 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
})

test('letting go right after a kill leaves no server that runs', async () => {
  const server = await startEmbeddedPostgres(folder)
  process.kill(await postmaster(), 'SIGKILL')
  await server.release()
  const answer = () => ask(server.urlOf('postgres'), 'SELECT 1').catch(String)
  await expect.poll(answer).toContain('ECONNREFUSED')
})

test('letting go while a killed server says that it ends leaves no error', async () => {
  const server = await startEmbeddedPostgres(folder)
  const held = await ask(
    server.urlOf('postgres'),
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory'",
  )
  const [{ pid: ours } = { pid: 0 }] = z.array(z.object({ pid: z.int() })).parse(held)
  // Its answer to the next statement is that it ends.
  process.kill(ours, 'SIGSTOP')
  process.kill(await postmaster(), 'SIGKILL')
  const released = server.release()
  setTimeout(() => process.kill(ours, 'SIGCONT'), 200)
  await released
  await expect
    .poll(() => ask(server.urlOf('postgres'), 'SELECT 1').catch(String))
    .toContain('ECONNREFUSED')
})

test('only who knows the password gets in, and only from this machine', async () => {
  const server = await startEmbeddedPostgres(folder)
  const url = new URL(server.urlOf('postgres'))
  expect(url.hostname).toBe('127.0.0.1')
  expect(await ask(url.href, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  url.password = 'guess'
  await expect(ask(url.href, 'SELECT 1')).rejects.toThrow('password')
  await server.release()
})

test.each([
  [
    'is missing',
    () => rm(passwordFile()),
    /the file with its password is missing: put back .*database-password/,
  ],
  [
    'is another one',
    () => writeFile(passwordFile(), 'guess\n'),
    /refuses the password in the file database-password: put back the file/,
  ],
])(
  'says in words that the password of a database that is there %s, and leaves nothing running',
  async (_title, spoil, words) => {
    const password = await readFile(passwordFile(), 'utf8')
    await spoil()
    const before = await readdir(folder)
    const error = await startEmbeddedPostgres(folder).catch((reason: Error) => reason)
    expect(error).toMatchObject({
      name: 'InstallationError',
      message: expect.stringMatching(words),
    })
    expect(await readdir(folder)).toEqual(before)
    await expect(postmaster()).rejects.toThrow('ENOENT')
    await writeFile(passwordFile(), password)
    const again = await startEmbeddedPostgres(folder)
    expect(await ask(again.urlOf('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await again.release()
  },
)

/** Refuses every password, as PostgreSQL does, but leaves it to the other side to hang up; writes its port, and how many are connected. */
const refusing = `
  import { createServer } from 'node:net'
  const text = 'SFATAL\\0C28P01\\0Mno\\0\\0'
  const size = Buffer.alloc(4)
  size.writeInt32BE(text.length + 4)
  let open = 0
  const tell = () => console.log(server.address().port + ' ' + open)
  const server = createServer((socket) => {
    open += 1
    socket.on('error', () => undefined).on('close', () => { open -= 1; tell() })
    socket.once('data', () => socket.write(Buffer.concat([Buffer.from('E'), size, Buffer.from(text)])))
  }).listen(0, '127.0.0.1', tell)`

test('a connection that is refused is closed', async () => {
  const script = path.join(folder, 'postgres-that-refuses.mjs')
  await writeFile(script, refusing)
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let last = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    last = text.trim().split('\n').at(-1) ?? ''
  })
  await expect.poll(() => last).toMatch(/^\d+ 0$/)
  const [port] = last.split(' ')
  last = ''
  const note = path.join(folder, 'postgres', 'postmaster.pid')
  await writeFile(note, `${child.pid}\n-\n-\n${port}\n`)
  try {
    await expect(startEmbeddedPostgres(folder)).rejects.toThrow('refuses the password')
    await expect.poll(() => last, { timeout: 5_000 }).toBe(`${port} 0`)
  } finally {
    child.kill('SIGKILL')
    await rm(note)
  }
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startMcpServer } from '@/tests/support/mcp/http-server'
import { scriptedServer, textTool } from '@/tests/support/mcp/script'
import { type Lease, serverPool } from './server-pool'
import { ServerError, serverErrorWords } from './transport/server-address'

const close: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each()
})

/** Returns a pool and what it told about the servers that it read. */
function opened() {
  const listed: number[] = []
  const failed: unknown[] = []
  const pool = serverPool({
    listed: async (_id, { definitions }) => void listed.push(definitions.tools.length),
    failed: (_id, error) => failed.push(error),
    isWanted: async () => true,
  })
  close.push(pool.closeAll, async () => vi.useRealTimers())
  return { pool, listed, failed }
}

const pooled = (command: string[]) => ({
  id: 'one',
  version: '1',
  era: null,
  address: { type: 'stdio' as const, command, environment: {}, hiddenFolders: [] },
})

test('a connection that was replaced while it waited to read again is no failure of its server, and changes meanwhile are read once', async () => {
  const script = (...names: string[]) => ({ tools: names.map((name) => textTool(name)) })
  const program = await scriptedServer(script('a'))
  close.push(program.close)
  const { pool, listed, failed } = opened()
  const lines: string[] = []
  const server = {
    ...pooled(program.command),
    onLine: ({ text }: { text: string }) => void lines.push(text),
  }
  /** Changes the tools and resolves once the server said so. */
  const change = async (...names: string[]) => {
    const changes = () => lines.filter((line) => line.includes('list_changed')).length
    const before = changes()
    program.change(script(...names))
    await expect.poll(changes, { timeout: 20_000 }).toBeGreaterThan(before)
    // The client puts changes together that follow one another within a moment.
    await sleep(500)
  }
  await pool.refresh(server)
  await change('a', 'b')
  await pool.refresh(server)
  await change('a', 'b', 'c')
  await change('a', 'b', 'c', 'd')
  // Its turn comes after that of the connection before it.
  await expect.poll(() => listed, { timeout: 40_000 }).toEqual([1, 2, 4])
  expect(await pool.lend(server, async () => listed)).toEqual([1, 2, 4])
  expect(failed).toEqual([])
})

test('cancelling one connect does not cancel the others and does not count as a failure of the server', async () => {
  const tools = [textTool('a')]
  const program = await scriptedServer({ tools, silent: ['tools/list'] })
  const { pool, listed, failed } = opened()
  close.push(program.close)
  const stopping = new AbortController()
  const refreshed = pool.refresh({ ...pooled(program.command), signal: stopping.signal })
  refreshed.catch(() => undefined)
  await expect.poll(program.notes).toContain('silent tools/list')
  const other = pool.lend(pooled(program.command), async ({ definitions }) => definitions.tools)
  program.change({ tools })
  stopping.abort()
  await expect(refreshed).rejects.toMatchObject({ code: 'stopped' })
  expect(await other).toHaveLength(1)
  expect({ listed, failed }).toEqual({ listed: [1], failed: [] })
})

test('tools that were read too long ago are read again before the next call, once for all that wait', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  let [requests, tools] = [0, [textTool('a')]]
  const server = await startMcpServer({
    answer: ({ method }) => {
      if (method !== 'tools/list') return undefined
      requests++
      return { tools }
    },
  })
  close.push(server.close)
  const { pool } = opened()
  const address = { type: 'http' as const, url: server.url, headers: {} }
  const remote = { ...pooled([]), address: { ...address, privateAddressAllowed: true } }
  const count = () => pool.lend(remote, async ({ definitions }) => definitions.tools.length)
  expect(await count()).toBe(1)
  tools = [textTool('a'), textTool('b')]
  vi.setSystemTime(Date.now() + 4 * 60_000)
  expect([await count(), requests]).toEqual([1, 1])
  vi.setSystemTime(Date.now() + 60_000)
  expect([...(await Promise.all([count(), count()])), requests]).toEqual([2, 2, 2])
})

test('tells what went wrong with a server, and nothing of another error', () => {
  expect(serverErrorWords(new ServerError('ended', 'The program ended.'))).toBe(
    'The program ended.',
  )
  expect(serverErrorWords(new Error('The program ended.'))).toBe('The server could not be reached.')
})

test('a call waits for the next check when the one before it was stopped, and connects itself when that is stopped, too', async () => {
  const tools = [textTool('a')]
  const program = await scriptedServer({ tools, silent: ['tools/list'] })
  close.push(program.close)
  const { pool } = opened()
  const requestCount = () => program.notes().filter((note) => note === 'silent tools/list').length
  const [first, second] = [new AbortController(), new AbortController()]
  const check = ({ signal }: AbortController) => {
    const checked = pool.refresh({ ...pooled(program.command), signal })
    checked.catch(() => undefined)
    return checked
  }
  const checks = [check(first)]
  await expect.poll(requestCount, { timeout: 20_000 }).toBe(1)
  const called = pool.lend(pooled(program.command), async ({ definitions }) => definitions.tools)
  called.catch(() => undefined)
  first.abort()
  checks.push(check(second))
  await expect.poll(requestCount, { timeout: 20_000 }).toBe(2)
  program.change({ tools })
  second.abort()
  for (const checked of checks) await expect(checked).rejects.toMatchObject({ code: 'stopped' })
  expect(await called).toHaveLength(1)
})

test('a check connects itself, whatever connection is being opened, and shows what passes', async () => {
  const tools = [textTool('a')]
  const program = await scriptedServer({ tools, silent: ['initialize'] })
  close.push(program.close)
  const { pool, listed } = opened()
  const requestCount = () => program.notes().filter((note) => note === 'silent initialize').length
  const stopping = new AbortController()
  const waiting = [
    pool.refresh({ ...pooled(program.command), signal: stopping.signal }),
    pool.lend(pooled(program.command), async ({ definitions }) => definitions.tools),
  ]
  for (const each of waiting) each.catch(() => undefined)
  await expect.poll(requestCount, { timeout: 20_000 }).toBe(1)
  program.change({ tools })
  const lines: string[] = []
  const checked = await pool.refresh({
    ...pooled(program.command),
    onLine: ({ text }) => void lines.push(text),
  })
  expect(checked.definitions.tools).toHaveLength(1)
  expect(lines).toContainEqual(expect.stringContaining('tools/list'))
  // The call goes on with the connection of the check once its own is stopped.
  stopping.abort()
  expect(await waiting[1]).toHaveLength(1)
  expect(listed).toEqual([1])
})

/** Starts a server over HTTP that answers each request for its tools only once that is let go. */
async function slowServer() {
  const reads: (() => void)[] = []
  const { url, close: end } = await startMcpServer({
    answer: async ({ method }) => {
      if (method !== 'tools/list') return undefined
      await new Promise<void>((resolve) => void reads.push(resolve))
      return { tools: [textTool('a')] }
    },
  })
  close.push(end)
  const address = { type: 'http' as const, url, headers: {}, privateAddressAllowed: true }
  const waitForReads = (times: number) =>
    expect.poll(() => reads.length, { timeout: 20_000 }).toBe(times)
  return { remote: { ...pooled([]), address }, reads, waitForReads }
}

test('a connection whose tools are read again for a call is in use, however long nobody used it', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const { remote, reads, waitForReads } = await slowServer()
  const { pool } = opened()
  const isOpen = () => pool.lend(remote, async ({ connection }) => connection.isOpen())
  const first = isOpen()
  await waitForReads(1)
  reads[0]?.()
  expect(await first).toBe(true)
  vi.setSystemTime(Date.now() + 11 * 60_000)
  const second = isOpen()
  second.catch(() => undefined)
  await waitForReads(2)
  vi.advanceTimersByTime(30_000)
  reads[1]?.()
  expect(await second).toBe(true)
  expect(reads).toHaveLength(2)
})

test('two checks at once do not end each other, and what the newer one finds is kept', async () => {
  const { remote, reads, waitForReads } = await slowServer()
  const { pool, listed, failed } = opened()
  const first = pool.refresh(remote)
  first.catch(() => undefined)
  await waitForReads(1)
  const second = pool.refresh(remote)
  await waitForReads(2)
  for (const answer of reads) answer()
  const [older, newer] = [await first, await second]
  expect([older, newer].map(({ definitions }) => definitions.tools.length)).toEqual([1, 1])
  expect({ listed, failed }).toEqual({ listed: [1], failed: [] })
  await expect.poll(() => older.connection.isOpen()).toBe(false)
  expect(newer.connection.isOpen()).toBe(true)
})

/** Starts a server that knows its sessions until it is started again; it answers others with a status. */
async function stateful(status: number, headers: Record<string, string> = {}) {
  const sessions = new Set<unknown>()
  let isClosed = false
  let count = 0
  const server = await startMcpServer({
    tools: [textTool('a')],
    before: (request, response) => {
      const session = request.headers['mcp-session-id']
      if (request.method !== 'POST') return false
      if (session === undefined && !isClosed) {
        const fresh = `session-${++count}`
        sessions.add(fresh)
        response.setHeader('mcp-session-id', fresh)
        return false
      }
      if (sessions.has(session) && !isClosed) return false
      response
        .writeHead(status, { ...headers, 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"No"}}')
      return true
    },
  })
  close.push(server.close)
  const requestCount = (name: string) =>
    server.requests.filter(({ method }) => method === name).length
  return {
    pooled: {
      id: 'one',
      version: '1',
      era: { type: 'legacy' as const },
      address: { type: 'http' as const, url: server.url, headers: {}, privateAddressAllowed: true },
    },
    restart: () => sessions.clear(),
    refuse: () => {
      isClosed = true
    },
    requestCount,
  }
}

const callOnce = ({ connection }: Lease) =>
  connection.callTool({
    name: 'a',
    inputSchema: {},
    args: {},
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  })

test.each([404, 401])(
  'a call in a session that a server does not know any more (%d) runs once, in one new session',
  async (status) => {
    const { pool, listed, failed } = opened()
    const server = await stateful(status)
    await pool.lend(server.pooled, callOnce)
    server.restart()
    const both = await Promise.all([1, 2].map(() => pool.lend(server.pooled, callOnce)))
    expect(both).toMatchObject([{ content: [{}] }, { content: [{}] }])
    expect([server.requestCount('initialize'), server.requestCount('tools/call')]).toEqual([2, 3])
    expect([listed, failed]).toEqual([[1, 1], []])
  },
)

test('a call that an old session may have done nothing of (400) is not made again, and the next one gets a new session', async () => {
  const { pool } = opened()
  const server = await stateful(400)
  await pool.lend(server.pooled, callOnce)
  server.restart()
  await expect(pool.lend(server.pooled, callOnce)).rejects.toMatchObject({
    code: 'session-doubted',
    message: expect.stringContaining('the next call begins a new session'),
    answer: 'No',
  })
  await pool.lend(server.pooled, callOnce)
  expect([server.requestCount('initialize'), server.requestCount('tools/call')]).toEqual([2, 2])
})

test('a server that asks for a sign-in after its restart says that, and is asked for one session', async () => {
  const { pool } = opened()
  const server = await stateful(401)
  await pool.lend(server.pooled, callOnce)
  server.refuse()
  await expect(pool.lend(server.pooled, callOnce)).rejects.toMatchObject({ code: 'sign-in' })
  expect(server.requestCount('tools/call')).toBe(1)
})

test('a list that is read again in a session that ended is read in a new one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { pool, failed } = opened()
  const server = await stateful(404)
  await pool.lend(server.pooled, callOnce)
  server.restart()
  vi.setSystemTime(Date.now() + 6 * 60_000)
  expect(await pool.lend(server.pooled, callOnce)).toMatchObject({ content: [{}] })
  expect([server.requestCount('initialize'), server.requestCount('tools/call'), failed]).toEqual([
    2,
    2,
    [],
  ])
})

test('a connection whose token ended is not used again, and the next one has a session of its own', async () => {
  const { pool, failed } = opened()
  const server = await stateful(401, { 'www-authenticate': 'Bearer' })
  const address = { ...server.pooled.address, token: async () => 'a-token' }
  const pooled = { ...server.pooled, address }
  await pool.lend(pooled, callOnce)
  server.restart()
  await expect(pool.lend(pooled, callOnce)).rejects.toMatchObject({ code: 'sign-in' })
  await pool.lend(pooled, callOnce)
  expect([server.requestCount('initialize'), server.requestCount('tools/call'), failed]).toEqual([
    2,
    2,
    [],
  ])
})

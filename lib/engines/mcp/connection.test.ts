import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type Script, scriptedServer, textTool } from '@/tests/support/mcp/script'
import { connect, type McpConnection } from './connection'
import {
  downloadsFirst,
  type KnownEra,
  type LogLine,
  serverErrorWords,
} from './transport/server-address'

const program = { type: 'stdio', environment: {}, hiddenFolders: [] } as const
const close: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each()
})

async function open(script: Script, era: KnownEra | null = null) {
  const server = await scriptedServer(script)
  close.push(server.close)
  const lines: LogLine[] = []
  const address = { ...program, command: server.command }
  const connection = await connect(address, { era, onLine: (line) => lines.push(line) })
  close.push(connection.close)
  return { server, connection, lines }
}

function call(connection: McpConnection, name: string, timeoutMs = 20_000) {
  const signal = new AbortController().signal
  return connection.callTool({ name, inputSchema: {}, args: { text: 'a' }, timeoutMs, signal })
}

test('connects to a program, lists its tools and calls one; the log has no arguments', async () => {
  const { connection, lines, server } = await open({ tools: [textTool('echo')] })
  expect(connection.facts).toEqual({ name: 'scripted', version: '1.0.0', protocol: '2025-11-25' })
  expect(connection.era).toEqual({ type: 'legacy' })
  expect((await connection.listTools()).tools).toEqual([textTool('echo')])
  expect(await call(connection, 'echo')).toEqual({
    content: [{ type: 'text', text: '{"text":"a"}' }],
  })
  expect(lines.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['tools/call 2', 'result 2']),
  )
  expect(JSON.stringify(lines)).not.toContain('{\\"text')
  expect(server.notes().filter((line) => line === 'started')).toHaveLength(1)
})

test('a server that ends when it is asked for its era is started once more, and not asked again', async () => {
  const script = { tools: [textTool('echo')], endsWhenAsked: true }
  const { connection, server } = await open(script)
  expect(connection.era).toEqual({ type: 'legacy' })
  expect(server.notes().filter((line) => line === 'started')).toHaveLength(2)
  const known = await open(script, { type: 'legacy' })
  expect(known.server.notes().filter((line) => line === 'started')).toHaveLength(1)
})

test.each([
  ['exits in a call', { exit: 3 }, 'ended', 'The program ended (exit code 3).'],
  ['floods', { flood: true }, 'too-much', 'The server sent a message of more than 10 MiB'],
  ['nests too deeply', { deep: 100_000 }, 'too-much', 'nested too deeply'],
] as const)('a server that %s is ended, and says why', async (_name, does, code, words) => {
  const { connection, server } = await open({ tools: [], calls: { bad: does } })
  await expect(call(connection, 'bad')).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
  })
  expect(connection.isOpen()).toBe(false)
  await expect.poll(server.running).toBe(0)
})

test.each([
  ['answers nothing', { never: true }],
  ['answers another request', { otherId: true }],
] as const)('a server that %s costs the time of the call', async (_name, does) => {
  const { connection, server } = await open({ tools: [], calls: { bad: does } })
  await expect(call(connection, 'bad', 200)).rejects.toMatchObject({ code: 'timed-out' })
  await expect.poll(server.notes).toContain('notifications/cancelled')
  expect(await call(connection, 'good')).toHaveProperty('content')
})

test.each(['server/discover', 'initialize'])(
  'connecting can be stopped while %s is not answered',
  async (method) => {
    const server = await scriptedServer({ tools: [], silent: [method] })
    close.push(server.close)
    const stopping = new AbortController()
    const { signal } = stopping
    const address = {
      type: 'stdio' as const,
      command: server.command,
      environment: {},
      hiddenFolders: [],
    }
    const connecting = connect(address, { era: null, signal })
    connecting.catch(() => undefined)
    await expect.poll(server.notes).toContain(`silent ${method}`)
    stopping.abort()
    await expect(connecting).rejects.toMatchObject({
      code: 'stopped',
      message: 'Connecting to the server was stopped.',
    })
    await expect.poll(server.running).toBe(0)
  },
)

/** Returns the address of a program that is called `npx` and does these lines of a shell. */
async function launcher(lines: (folder: string) => string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-npx-'))
  close.push(() => rm(folder, { recursive: true, force: true }))
  const npx = path.join(folder, 'npx')
  await writeFile(npx, ['#!/bin/sh', ...lines(folder)].join('\n'))
  await chmod(npx, 0o755)
  const command = [npx, '-y', 'scripted']
  return { folder, type: 'stdio' as const, command, environment: {}, hiddenFolders: [] }
}

/** Returns how often a launcher noted that it was started. */
async function startsOf(folder: string): Promise<number> {
  return (await readFile(path.join(folder, 'starts'), 'utf8')).trim().split('\n').length
}

test('the check of a server that downloads its program first waits for it, shows what it writes and starts it once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  close.push(async () => vi.useRealTimers())
  const server = await scriptedServer({ tools: [textTool('echo')] })
  close.push(server.close)
  const { folder, ...address } = await launcher((folder) => [
    `echo started >> ${folder}/starts`,
    'echo "fetching, log level $npm_config_loglevel" >&2',
    `until [ -e ${folder}/there ]; do sleep 0.05; done`,
    `exec ${server.command.join(' ')}`,
  ])
  const said: string[] = []
  const connecting = connect(address, {
    era: null,
    isCheck: true,
    onLine: ({ text }) => said.push(text),
  })
  connecting.catch(() => undefined)
  await expect.poll(() => said).toContain('fetching, log level http')
  await expect.poll(() => said.join()).toContain('server/discover')
  await vi.advanceTimersByTimeAsync(6_000)
  await expect.poll(() => said.join()).toContain('initialize')
  await vi.advanceTimersByTimeAsync(200_000)
  await writeFile(path.join(folder, 'there'), '')
  const connection = await connecting
  close.push(connection.close)
  expect((await connection.listTools()).tools).toHaveLength(1)
  expect(await startsOf(folder)).toBe(1)
})

test('a check that takes too long names the time and what the program wrote last', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  close.push(async () => vi.useRealTimers())
  const { folder: _, ...address } = await launcher(() => [
    'echo "still fetching" >&2',
    'cat >/dev/null',
  ])
  const said: string[] = []
  const onLine = ({ text }: LogLine) => void said.push(text)
  const connecting = connect(address, { era: null, isCheck: true, onLine })
  const failure = connecting.then(
    () => '',
    (error: unknown) => serverErrorWords(error),
  )
  await expect.poll(() => said).toContain('still fetching')
  await expect.poll(() => said.join()).toContain('server/discover')
  await vi.advanceTimersByTimeAsync(6_000)
  await expect.poll(() => said.join()).toContain('initialize')
  await vi.advanceTimersByTimeAsync(300_000)
  expect(await failure).toBe('The server did not answer within 5 minutes. It said: still fetching')
})

test('a package that cannot be downloaded is not asked for a second time', async () => {
  const { folder, ...address } = await launcher((folder) => [
    `echo started >> ${folder}/starts`,
    'echo "npm error code E404" >&2',
    'exit 1',
  ])
  await expect(connect(address, { era: null, isCheck: true })).rejects.toMatchObject({
    code: 'ended',
    detail: 'npm error code E404',
  })
  expect(await startsOf(folder)).toBe(1)
})

test.each([
  ['npx -y server', true],
  ['/usr/bin/uvx server', true],
  ['docker run -i server', true],
  ['bunx server', true],
  ['pnpm dlx server', true],
  ['node server.js', false],
  ['/opt/npx-server/bin/start', false],
] as const)('whether %s downloads its program first: %s', (command, expected) => {
  expect(downloadsFirst(command.split(' '))).toBe(expected)
})

test('processes that a program started end with it', async () => {
  const { connection, server } = await open({ tools: [], child: true })
  await expect.poll(server.notes).toContain('child')
  await expect.poll(server.running).toBeGreaterThan(1)
  await connection.close()
  await expect.poll(server.running).toBe(0)
})

test('a program and what it started end when the process that holds it is killed', async () => {
  const server = await scriptedServer({ tools: [], child: true })
  close.push(server.close)
  const holder = spawn(
    process.execPath,
    ['--import', 'tsx', 'tests/support/mcp/hold-connection.ts', ...server.command],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  close.push(async () => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  await expect.poll(server.notes).toContain('child')
  await expect.poll(server.running).toBeGreaterThan(2)
  holder.kill('SIGKILL')
  await expect.poll(server.running).toBe(0)
})

test('a program that is not there is named', async () => {
  const address = {
    type: 'stdio' as const,
    command: ['no-such-program'],
    environment: {},
    hiddenFolders: [],
  }
  await expect(connect(address, { era: null })).rejects.toMatchObject({
    code: 'not-started',
    message: 'The server did not start: the program was not found.',
    detail: expect.stringContaining('no-such-program'),
  })
})

test('a secret that a program writes or returns is taken out', async () => {
  const key = 'key-of-the-program-0123'
  const text = `{"text":"${key}"}`
  const server = await scriptedServer({
    tools: [],
    says: `started with ${key}`,
    calls: {
      leak: { result: { content: [{ type: 'text', text }], structuredContent: { [key]: key } } },
      refuse: { error: { code: 1, message: `${'x'.repeat(190)}${key}` } },
    },
  })
  close.push(server.close)
  const address = {
    type: 'stdio' as const,
    command: server.command,
    environment: { API_KEY: key },
    hiddenFolders: [],
  }
  const lines: LogLine[] = []
  const connection = await connect(address, { era: null, onLine: (line) => lines.push(line) })
  close.push(connection.close)
  const result = await call(connection, 'leak')
  expect(JSON.stringify(result)).toContain('[secret]')
  await expect.poll(() => lines.map((line) => line.text)).toContain('started with [secret]')
  await expect(call(connection, 'refuse')).rejects.toMatchObject({
    code: 'refused',
    message: 'The server refused the request (error 1).',
    answer: `${'x'.repeat(190)}[secret]`,
  })
  const refusal = expect.stringMatching(/^error \d+: 1 x{190}\[secret\]$/)
  await expect.poll(() => lines.map((line) => line.text)).toContainEqual(refusal)
  expect(JSON.stringify([result, lines])).not.toContain(key.slice(0, 8))
})

test.each([
  ['more parts than anybody reads', { parts: 1_001 }, 'more than 1\u202f000 parts'],
  ['more values than may be', { values: 200_000 }, 'more than 100\u202f000 values'],
  ['questions without end', { questions: true }, 'more than it may'],
] as const)('a result with %s ends the server', async (_name, does, words) => {
  const { connection, server } = await open({ tools: [], calls: { bad: does } })
  await expect(call(connection, 'bad')).rejects.toMatchObject({
    code: 'too-much',
    message: expect.stringContaining(words),
  })
  await expect.poll(server.running).toBe(0)
})

test('null for what the protocol leaves open is absent, and what the tool returns arrives as sent', async () => {
  const text = { type: 'text', text: '{"a":null}' }
  const data = { structuredContent: { a: null, annotations: { audience: null } } }
  const nulls = { ...text, annotations: null, _meta: null }
  const whole = '{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"error":null}'
  const { connection } = await open({
    tools: [],
    calls: {
      nulls: { result: { content: [nulls], ...data, isError: null, _meta: null } },
      envelope: { raw: whole },
    },
  })
  expect(await call(connection, 'nulls')).toEqual({ content: [text], ...data })
  expect(await call(connection, 'envelope')).toEqual({ content: [] })
})

test.each([
  ['is no JSON', '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"a":NaN}}}'],
  ['is of no version', '{"id":ID,"result":{"content":[]}}'],
  ['has no result', '{"jsonrpc":"2.0","id":ID,"result":null}'],
  ['does not say to what', '{"jsonrpc":"2.0","id":null,"result":{"content":[]},"more":1}'],
])(
  'an answer that %s ends its call at once with that reason, and the server goes on',
  async (_name, raw) => {
    const { connection } = await open({ tools: [], calls: { bad: { raw } } })
    await expect(call(connection, 'bad')).rejects.toMatchObject({
      code: 'not-mcp',
      message: 'The server answered with something that is no message of the protocol.',
    })
    expect(await call(connection, 'good')).toHaveProperty('content')
  },
)

test('an answer that is no message ends no other call', async () => {
  const raw = '{"id":ID,"result":{}}'
  const { connection, server } = await open({
    tools: [],
    calls: { bad: { raw }, slow: { text: 'slow', until: 'package.json' }, never: { never: true } },
  })
  const never = call(connection, 'never', 1_000)
  never.catch(() => undefined)
  await expect.poll(server.notes).toContain('call never')
  await expect(call(connection, 'bad')).rejects.toMatchObject({ code: 'not-mcp' })
  expect(await call(connection, 'slow')).toMatchObject({ content: [{ text: 'slow' }] })
  await expect(never).rejects.toMatchObject({ code: 'timed-out' })
})

const three = [textTool('a'), textTool('b'), textTool('c')]

test.each([
  ['fails', 2, 'Page 3 could not be read. The server refused the request (error -32603).'],
  ['repeats', 3, 'The server names the same page of its tools again and again.'],
] as const)(
  'a page of tools that %s leaves the tools before it, and says so',
  async (ends, pages, words) => {
    const { connection } = await open({ tools: three, list: { pages, ends } })
    const { tools, incomplete } = await connection.listTools()
    expect(tools.slice(0, pages)).toEqual(three.slice(0, pages))
    expect(incomplete).toContain(words)
  },
)

test('the first page of tools that cannot be read is no list', async () => {
  const { connection } = await open({ tools: [], list: { pages: 0, ends: 'fails' } })
  await expect(connection.listTools()).rejects.toMatchObject({ code: 'refused' })
})

test('a refusal has what the server says, its data and nothing of the client or the program', async () => {
  const error = { code: -32602, message: 'date must be YYYY-MM-DD', data: { path: ['date'] } }
  const { connection } = await open({
    tools: [],
    says: 'Traceback: all of it',
    calls: {
      bad: { error },
      silent: { error: { code: -32602, message: '' } },
      ends: { exit: 1 },
      failed: { result: { content: [], structuredContent: { why: 'No such day' }, isError: true } },
    },
  })
  await expect(call(connection, 'bad')).rejects.toMatchObject({
    code: 'refused',
    message: 'The server refused the request (error -32602).',
    answer: 'date must be YYYY-MM-DD\n{"path":["date"]}',
  })
  await expect(call(connection, 'silent')).rejects.toMatchObject({ code: 'refused', answer: '' })
  expect(await call(connection, 'failed')).toEqual({
    content: [{ type: 'text', text: '{"why":"No such day"}' }],
    isError: true,
  })
  await expect(call(connection, 'ends')).rejects.toMatchObject({ code: 'ended', answer: '' })
})

test('a program works in the folder that it was given, and one that is gone is named', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolgate-cwd-')))
  const lines: LogLine[] = []
  const at = (cwd: string) => ({
    type: 'stdio' as const,
    environment: {},
    hiddenFolders: [],
    cwd,
    command: [process.execPath, '-e', 'console.error(process.cwd())'],
  })
  const onLine = (line: LogLine) => lines.push(line)
  await expect(connect(at(folder), { era: null, onLine })).rejects.toMatchObject({ code: 'ended' })
  expect(lines.map(({ text }) => text)).toContain(folder)
  await rm(folder, { recursive: true })
  await expect(connect(at(folder), { era: null })).rejects.toMatchObject({
    code: 'not-started',
    message: 'The server did not start: its working folder is not there.',
  })
})

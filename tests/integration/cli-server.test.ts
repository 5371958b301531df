import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { serveCommands } from '@/lib/doors/cli/serve-commands'
import { db } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import type { Engine } from '@/lib/runs/engine/engine'
import { startEngine } from '@/lib/runs/engine/start-engine'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { commandLineOf } from '@/lib/words/command-line'
import { seed } from '@/prisma/seed'
import { scriptedServer, textTool } from '@/tests/support/mcp/script'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, type RunSite } from '@/tests/support/run-site'
import { finish, startToolgate, toolgate } from '@/tests/support/toolgate-process'

let models: ModelServer
let site: RunSite
let engine: Engine
let folder: string
let stop: () => void

beforeAll(async () => {
  models = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(models.url)
  await seed({ source: {}, ollamaUrl: 'http://127.0.0.1:1' })
  engine = await startEngine('server')
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-served-'))
  stop = await serveCommands(folder)
})
afterAll(async () => {
  stop()
  await engine.close()
  await models.close()
  await rm(folder, { recursive: true })
})

/** Starts bin/toolgate where this process is the running server; `input` is what is piped into it. */
function typed(args: string[], input = '', env: Record<string, string> = {}) {
  const child = startToolgate(args, { TOOLGATE_DATA_DIR: folder, ...env })
  child.stdin.end(input)
  return { child, finished: finish(child) }
}

const run = (prompt: string, ...more: string[]) => [
  'run',
  '--configuration',
  site.configuration,
  '--prompt',
  prompt,
  ...more,
]

test('answers as a command of its own does, and opens nothing for it', async () => {
  for (const args of [
    ['setting', 'list'],
    ['tools', 'list', '--json'],
    ['configuration', 'show', 'nope'],
    ['setting', 'set', 'nope', '1'],
    ['tools', 'lisst'],
    ['run', '--help'],
    ['export'],
  ]) {
    const { code, stdout, stderr } = await typed(args).finished
    expect({ code, stdout, stderr }).toEqual(await toolgate(args))
  }
  // The process of the terminal has neither a database nor a key.
  const { finished } = typed(['tools', 'list'], '', {
    NEXTAUTH_SECRET: 'x',
    TOOLGATE_VAULT_KEY: 'x',
  })
  expect(await finished).toMatchObject({ code: 0, stderr: '' })
})

test('the doctor has the running server do the checks that depend on its environment', async () => {
  const tools = await mkdtemp(path.join(tmpdir(), 'toolgate-tools-'))
  await writeFile(path.join(tools, 'broken.mjs'), 'export default 1')
  const shell = { TOOLGATE_URL: 'http://127.0.0.1:1', TOOLGATE_EXTRA_TOOLS_DIR: tools }
  const { stdout, stderr } = await typed(['doctor', '--json'], '', shell).finished
  expect(stderr).toBe('')
  const { findings } = JSON.parse(stdout)
  const detail = (check: string) =>
    findings.find((each: { check: string }) => each.check === check)?.detail
  expect(detail('Running server')).toContain('by its own environment')
  expect(detail('Address')).toContain(new URL(env().TOOLGATE_URL).origin)
  expect(detail('Address')).not.toContain('127.0.0.1:1 ')
  expect(detail('Tools')).toContain('0 extra tools loaded')
  await rm(tools, { recursive: true })
})

test('a server that does not answer the doctor is a failure, and the doctor goes on', async () => {
  const silent = await mkdtemp(path.join(tmpdir(), 'toolgate-silent-'))
  await mkdir(path.join(silent, 'servers'))
  const listener = createServer((socket) => socket.end('nonsense\n'))
  await once(listener.listen(path.join(silent, 'servers/a.sock')), 'listening')
  const { stdout } = await toolgate(['doctor', '--json'], { env: { TOOLGATE_DATA_DIR: silent } })
  expect(JSON.parse(stdout).findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'Running server', status: 'fail' }),
      expect.objectContaining({ check: 'Accounts', status: 'ok' }),
    ]),
  )
  listener.close()
  await rm(silent, { recursive: true })
})

test('acts for the account and names the terminal in the audit', async () => {
  const reason = 'from the terminal'
  expect(await typed(['freeze', '--reason', reason]).finished).toMatchObject({ code: 0 })
  expect(await typed(['unfreeze']).finished).toMatchObject({ code: 0 })
  const entry = await db().auditEntry.findFirstOrThrow({ where: { reason } })
  expect(entry.actorLabel).toMatch(/ \(in a terminal as \S+\)$/)
  const stranger = await typed(['tools', 'list', '--as', 'nobody@example.org']).finished
  expect(stranger).toMatchObject({ code: 1, stdout: '' })
})

test('runs with input, files and output of the terminal', async () => {
  const notes = path.join(folder, 'notes.txt')
  await writeFile(notes, 'Blue is the colour.')
  models.requests.splice(0)
  const more = ['--file', notes, '--data-class', 'source-code', '--json']
  const { code, stdout, stderr } = await typed(run('-', ...more), '[[say: Grüße]]').finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Grüße')
  expect(JSON.stringify(models.requests.splice(0)[0]?.body)).toContain('Blue is the colour.')
  const { source } = await db().run.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  expect(source).toBe('cli')
  const missing = await typed(run('Hi', '--file', path.join(folder, 'gone.txt'))).finished
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be opened') })
  const output = path.join(folder, 'site.yaml')
  expect(await typed(['export', '-o', output]).finished).toMatchObject({ code: 0 })
  expect((await stat(output)).size).toBeGreaterThan(100)
})

test('a loop keeps its input when a command needs none', async () => {
  const child = startToolgate(['setting', 'list'], { TOOLGATE_DATA_DIR: folder })
  // Standard input stays open: who waits for it waits for ever.
  expect(await finish(child)).toMatchObject({ code: 0, stderr: '' })
})

test.each([
  ['on Ctrl-C', (child: ReturnType<typeof startToolgate>) => void child.kill('SIGINT')],
  ['when nobody reads', (child: ReturnType<typeof startToolgate>) => void child.stdout.destroy()],
  [
    'when the terminal is gone',
    (child: ReturnType<typeof startToolgate>) => void child.kill('SIGKILL'),
  ],
])('stops the run %s', async (_when, leave) => {
  const { child } = typed(run(`[[say slowly 100ms: ${'word '.repeat(300)}]]`))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  leave(child)
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([130, null]).toContain(code)
  await vi.waitFor(async () => {
    const last = await db().run.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    expect(last).toMatchObject({ status: 'ended', endReason: 'cancelled' })
  })
})

test('a check of an MCP server ends no connection of the server that does it', async () => {
  const program = await scriptedServer({ tools: [textTool('echo')] })
  const command = commandLineOf(program.command)
  await serverVerbs.create(site.admin, { name: 'kept', kind: 'stdio', command })
  const { code, stdout } = await typed(['server', 'check', 'kept']).finished
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('It has 1 tool') })
  expect(program.running()).toBeGreaterThan(0)
  await closeServers()
  await program.close()
})

test('only this account of the operating system can ask, and only for this database', async () => {
  const servers = path.join(folder, 'servers')
  const [name = ''] = await readdir(servers)
  expect((await stat(servers)).mode & 0o777).toBe(0o700)
  expect((await stat(path.join(servers, name))).mode & 0o777).toBe(0o600)
  // Another database: the command opens it by itself, and fails there.
  const elsewhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
  expect(await typed(['tools', 'list'], '', elsewhere).finished).toMatchObject({
    code: 1,
    stdout: '',
  })
})

test('lets go of who says what makes no sense, and of sockets of servers that were killed', async () => {
  const servers = path.join(folder, 'servers')
  const [name = ''] = await readdir(servers)
  for (const line of ['nonsense\n', '{"protocol":1,"args":[]}\n', '[]\n']) {
    const socket = connect(path.join(servers, name))
    socket.end(line)
    const said = await new Promise((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.once('close', () => resolve(text))
    })
    expect(said).toBe('')
  }
  await writeFile(path.join(servers, 'left.sock'), '')
  const stopSecond = await serveCommands(folder)
  expect(await readdir(servers)).toHaveLength(2)
  expect(await readdir(servers)).not.toContain('left.sock')
  stopSecond()
  expect(await typed(['tools', 'list']).finished).toMatchObject({ code: 0 })
})

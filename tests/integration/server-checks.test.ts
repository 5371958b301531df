import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { type CheckEvent, streamCheck } from '@/lib/doors/stream-check'
import type { Ctx } from '@/lib/kernel/context'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { commandLineOf } from '@/lib/words/command-line'
import { db } from '@/tests/support/fixture-db'
import { type Script, scriptedServer, textTool } from '@/tests/support/mcp/script'
import { openStreamedWork } from '@/tests/support/open-streamed-work'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
const close: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  admin = await addPerson('admin')
})
afterAll(async () => {
  await closeServers()
  await db().server.deleteMany()
  for (const each of close) await each()
})

const key = 'key-of-the-program-0123'

async function addServer(name: string, script: Script) {
  const program = await scriptedServer(script)
  close.push(program.close)
  const command = commandLineOf(program.command)
  const variables = `API_KEY=${key}`
  const { id } = await serverVerbs.create(admin, { name, kind: 'stdio', command, variables })
  return { id, program }
}

/** Checks a server as its page does. */
function check(id: string, ctx = admin, recheck?: () => Promise<Ctx | null>) {
  return openStreamedWork<CheckEvent>(ctx, (reader) => streamCheck({ id, ...reader }), recheck)
}

const says = (text: string) => (event: CheckEvent | null) =>
  event?.type === 'line' && event.line.text.startsWith(text)

/** Reads until a message passed, while the check goes on. */
async function until(
  watched: ReturnType<typeof check>,
  isMeant: (event: CheckEvent | null) => boolean,
) {
  for (let event = await watched.next(); !isMeant(event); event = await watched.next()) {
    if (event?.type !== 'line') throw new Error(`The check ended: ${JSON.stringify(event)}`)
  }
}

test('each message is streamed while the check runs, without secrets, and then what came of it', async () => {
  const tools = [textTool('echo')]
  const { id, program } = await addServer('live', {
    tools,
    silent: ['tools/list'],
  })
  const watched = check(id)
  expect(watched.headers.get('content-type')).toContain('text/event-stream')
  await until(watched, says('tools/list'))
  watched.leave()
  program.change({ tools, says: `key ${key}` })
  const again = await check(id).rest()
  expect(again.at(-1)).toEqual({
    type: 'outcome',
    outcome: { trouble: null, tools: 1, toReview: 1, problems: [] },
  })
  expect(again.filter((event) => event.type === 'line').length).toBeGreaterThan(3)
  expect(JSON.stringify(again)).toContain('key [secret]')
  expect(JSON.stringify(again)).not.toContain(key)
})

test('a page that is left ends the check and its program, and the server is not said to be down', async () => {
  const { id, program } = await addServer('left', { tools: [], silent: ['initialize'] })
  const watched = check(id)
  await until(watched, says('initialize'))
  watched.leave()
  await expect.poll(program.running, { timeout: 20_000 }).toBe(0)
  const row = await db().server.findUniqueOrThrow({ where: { id } })
  expect(row).toMatchObject({ downSince: null, trouble: '', checkedAt: null })
  expect(await db().auditEntry.count({ where: { action: 'server.check', objectId: id } })).toBe(1)
})

test('the check of a person who lost access ends, and its stream says why', async () => {
  const { id, program } = await addServer('lost', { tools: [], silent: ['initialize'] })
  let isAllowed = true
  const watched = check(id, admin, async () => (isAllowed ? admin : null))
  await until(watched, says('initialize'))
  isAllowed = false
  expect(await watched.rest()).toEqual([
    { type: 'failed', message: expect.stringContaining('may not check servers any more') },
  ])
  await expect.poll(program.running, { timeout: 20_000 }).toBe(0)
})

test('a failure is told: of the server, and of a server that does not exist', async () => {
  const { id } = await addServer('fails', { tools: [] })
  await serverVerbs.update(admin, { id, command: 'no-such-program', variables: null })
  expect((await check(id).rest()).at(-1)).toMatchObject({
    type: 'outcome',
    outcome: { trouble: expect.stringContaining('the program was not found') },
  })
  expect(await db().server.findUniqueOrThrow({ where: { id } })).toMatchObject({
    downSince: expect.any(Date),
  })
  expect(await check('nothing').rest()).toEqual([
    { type: 'failed', message: expect.stringContaining('does not exist') },
  ])
})

test('a member is refused', async () => {
  const member = await addPerson('member')
  const { id, program } = await addServer('mine', { tools: [] })
  expect(await check(id, member).rest()).toMatchObject([{ type: 'failed' }])
  expect(program.notes()).toEqual([])
})

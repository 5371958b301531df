import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { checkServer } from '@/lib/toolset/servers/check'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { commandLineOf } from '@/lib/words/command-line'
import { db } from '@/tests/support/fixture-db'
import { scriptedAddress, scriptedServer, textTool } from '@/tests/support/mcp/script'
import { acceptServer } from '@/tests/support/mcp/server-site'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { doInWorker, startWorker, stopped } from '@/tests/support/start-worker'

const names = ['program', 'address']
const tools = ['write', 'read', 'echo'].map((name) => textTool(name))

let model: ModelServer
let site: RunSite
let folder: string
/** Writes and reads are answered once this file is there. */
let until: string
let program: Awaited<ReturnType<typeof scriptedServer>>
let address: Awaited<ReturnType<typeof scriptedAddress>>

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(model.url)
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-killed-'))
  until = path.join(folder, 'answer')
  const script = {
    tools,
    calls: { write: { text: 'written', until }, read: { text: 'read', until } },
  }
  program = await scriptedServer(script)
  address = await scriptedAddress(script)
  const command = commandLineOf(program.command)
  await addServer({ name: 'program', kind: 'stdio', command })
  await addServer({ name: 'address', kind: 'http', url: address.url, privateAddressAllowed: true })
  // Only the processes that the test starts hold connections.
  await closeServers()
})
afterAll(async () => {
  await model.close()
  await db().server.deleteMany()
  await db().toolOverride.deleteMany()
  await address.close()
  await program.close()
  await rm(folder, { recursive: true, force: true })
})

async function addServer(fields: Parameters<typeof serverVerbs.create>[1]): Promise<void> {
  const { id } = await serverVerbs.create(site.admin, fields)
  await checkServer(site.admin, { id })
  await acceptServer(site.admin, id)
  await acceptServer(site.admin, id, { effect: 'write' }, 'write')
}

/** Returns how often each server was asked to call a tool. */
const timesCalled = (tool: string) =>
  [program, address].map(({ notes }) => notes().filter((note) => note === `call ${tool}`).length)

const call = (server: string, tool: string) => `[[call ${server}__${tool} {"text":"a"}]]`

async function endOf(runId: string) {
  const state = foldRun(await collect(site.admin, runId))
  const calls = state.rounds.flatMap((round) => round.calls)
  const outcomes = calls.map(({ state: ended }) =>
    ended.type === 'ended' ? ended.outcome.type : ended.type,
  )
  return { reason: state.end?.reason, outcomes, said: state.rounds.at(-1)?.text }
}

test('killed in the middle of remote writes, a process leaves its runs to another one, which repeats none of them and calls on', async () => {
  await expect.poll(program.running).toBe(0)
  const dying = await startWorker()
  const begun = names.map((name) =>
    start(site, `${call(name, 'write')} [[then]] ${call(name, 'echo')} [[then]] [[say: done]]`),
  )
  const runIds = (await Promise.all(begun)).map(({ runId }) => runId)
  await expect.poll(() => timesCalled('write')).toEqual([1, 1])
  const processes = program.running()
  expect(processes).toBeGreaterThan(0)

  const living = await startWorker()
  const prompts = [`${names.map((name) => call(name, 'read')).join(' ')} [[then]] [[say: own]]`]
  await doInWorker(living, { prompts, site })
  await expect.poll(() => timesCalled('read')).toEqual([1, 1])
  const own = await db().run.findFirstOrThrow({ where: { instanceId: living.instanceId } })
  expect(program.running()).toBe(2 * processes)

  await stopped(dying)
  for (const runId of runIds) {
    const outcomes = ['unknown', 'ok']
    expect(await endOf(runId)).toEqual({ reason: 'completed', outcomes, said: 'done' })
  }
  // Child processes of the killed process are gone. The other one still has its own.
  await expect.poll(program.running).toBe(processes)
  writeFileSync(until, '')
  const outcomes = ['ok', 'ok']
  expect(await endOf(own.id)).toEqual({ reason: 'completed', outcomes, said: 'own' })
  expect(timesCalled('write')).toEqual([1, 1])
  expect(timesCalled('echo')).toEqual([1, 1])
})

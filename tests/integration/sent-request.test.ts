import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { readSentRequest } from '@/lib/runs/read-sent-request'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ServedWire } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let engine: Engine

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

const wires: [Parameters<typeof addRunSite>[1], ServedWire][] = [
  ['openai', 'responses'],
  ['openai-compatible', 'chat-completions'],
  ['anthropic', 'anthropic'],
  ['ollama', 'ollama'],
]

test.each(wires)('every round of %s is shown as it was sent, without the key', async (wire) => {
  const site = await addRunSite(server.url, wire)
  const mark = randomUUID()
  const prompt = `${mark} it's [[call calculate {"expression":"1+1"}]] [[then]] [[say: Two.]]`
  const { runId } = await start(site, prompt)
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end?.reason).toBe('completed')
  const served = server.requests.filter((request) => request.prompt.includes(mark))
  expect(served).toHaveLength(2)
  for (const [index, request] of served.entries()) {
    const sent = await readSentRequest(site.admin, runId, index + 1)
    expect(JSON.parse(sent.json)).toEqual(request.body)
    expect(sent.curl).toContain(`'${new URL(server.url).origin}${request.path}'`)
    expect(sent.curl).toContain('"$API_KEY"')
    expect(JSON.stringify(sent)).not.toContain('sk-test')
    expect(sent.notes).toEqual([expect.stringMatching(/^Put together again from the journal/)])
  }
})

test('it is made anew each time and stored nowhere; others read it as they read the run: not at all', async () => {
  const site = await addRunSite(server.url)
  const { runId } = await start(site, `${randomUUID()} [[say: Hello.]]`)
  await collect(site.admin, runId)
  const count = () => db().runEventRow.count({ where: { runId } })
  const before = await count()
  const first = await readSentRequest(site.admin, runId, 1)
  expect(await readSentRequest(site.admin, runId, 1)).toEqual(first)
  expect(await count()).toBe(before)
  const stranger = await addPerson('member')
  await expect(readSentRequest(stranger, runId, 1)).rejects.toThrow('This run does not exist')
  await expect(readSentRequest(site.admin, runId, 2)).rejects.toThrow('This round does not exist')
  await db().run.update({ where: { id: runId }, data: { userId: stranger.actor.userId } })
  const own = await readSentRequest(stranger, runId, 1)
  expect(own.json).toBe(first.json)
  expect(own.curl).toContain('"$ADDRESS"\'/')
  expect(own.curl).not.toContain(new URL(server.url).host)
})

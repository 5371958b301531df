import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { database } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { queryPool, writeEntries } from '@/lib/runs/journal/write-entries'
import { readRun } from '@/lib/runs/read-run'
import { db } from '@/tests/support/fixture-db'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startWorker, stopped, type Worker } from '@/tests/support/start-worker'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'

/** An answer in an order, and with a field, that only its provider's own form has. */
const blocks = [
  { type: 'thinking', thinking: 'One.', signature: 'first-signature==' },
  { type: 'tool_use', id: 'toolu_1', name: 'list_groups', input: {} },
  { type: 'thinking', thinking: 'Two.', signature: 'second-signature==', opaque: 'zażółć \u2028' },
  { type: 'tool_use', id: 'toolu_2', name: 'get_runtime_info', input: {} },
]

const usage = { input_tokens: 10, output_tokens: 5 }

function stream(content: readonly object[], stop_reason: string): string {
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', usage } },
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

let server: Server
let site: RunSite
let worker: Worker
const bodies: string[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (bodies.length === 1) response.end(stream(blocks, 'tool_use'))
    else if (bodies.length === 2) {
      // The beginning of an answer that never ends: its process is killed meanwhile.
      const whole = stream([{ type: 'text', text: 'Well' }], 'end_turn')
      response.write(whole.slice(0, whole.indexOf('event: content_block_stop')))
    } else response.end(stream([{ type: 'text', text: 'Done.' }], 'end_turn'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  site = await addRunSite(`http://127.0.0.1:${port}`, 'anthropic')
  worker = await startWorker()
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
})

test('R15c: another process sends what the provider wrote, and nobody else ever reads it', async () => {
  const { runId } = await start(site, 'What is new?')
  await collect(site.admin, runId, { until: (event) => event.type === 'text-delta' })
  await stopped(worker)
  await startTestEngine(quickTimes)
  const events = await collect(site.admin, runId)
  expect(foldRun(events).end?.reason).toBe('completed')

  const { content } = await db().nativeAnswer.findUniqueOrThrow({
    where: { runId_round: { runId, round: 1 } },
  })
  expect(JSON.parse(content)).toEqual(blocks)
  expect(bodies).toHaveLength(3)
  for (const body of bodies.slice(1)) {
    expect(body).toContain(`{"role":"assistant","content":${content}}`)
  }
  const shown = JSON.stringify([events, await readRun(site.admin, runId)])
  expect(shown).not.toContain('za\u017c\u00f3\u0142\u0107')
  expect(shown).not.toContain('opaque')

  await expectForgotten(runId)
})

/** Checks that what is pruned from the context is deleted, and that the rest is deleted with the run. */
async function expectForgotten(runId: string): Promise<void> {
  const { userId, instanceId, lastSeq, createdAt } = await db().run.findUniqueOrThrow({
    where: { id: runId },
  })
  const { snapshot } = foldRun((await readRun(site.admin, runId)).events).start ?? {}
  if (!snapshot || !instanceId) throw new Error('The run has no beginning.')
  const later = { runId, round: 2, content: '[]' }
  await db().nativeAnswer.create({ data: later })
  const facts = { runId, userId, snapshot, createdAt: createdAt.getTime() }
  const data = { round: 2, message: '', tellModel: true, prunedThrough: 1 }
  const pruning = { type: 'warning' as const, data: { ...data, code: 'context-pruned' as const } }
  const at = Date.now()
  const events = [{ ...pruning, runId, seq: lastSeq + 1, at }]
  await writeEntries(queryPool(database()), instanceId, [{ facts, events, rowSeq: lastSeq }])
  expect(await db().nativeAnswer.findMany({ where: { runId } })).toEqual([later])
  await db().usageRecord.deleteMany({ where: { runId } })
  await db().run.delete({ where: { id: runId } })
  expect(await db().nativeAnswer.count({ where: { runId } })).toBe(0)
}

import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { RunFile } from '@/lib/protocol/tool'
import type { Engine } from '@/lib/runs/engine/engine'
import { readRunFiles } from '@/lib/runs/files/read-run-files'
import { sweepFiles } from '@/lib/runs/files/upload-file'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'

const contentRoute = apiRoute('/files/{fileId}/content')

let server: ModelServer
let engine: Engine

beforeAll(async () => {
  setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools') })
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Adds a configuration whose model takes images, as `vision` says. */
async function addSite(wire: ModelTarget['wire'], vision: boolean | null = true): Promise<RunSite> {
  const site = await addRunSite(server.url, wire)
  const configurations = { some: { identifier: site.configuration } }
  await db().model.updateMany({ where: { configurations }, data: { vision } })
  return site
}

/** Runs a prompt that draws a square of this colour and then looks at it. */
async function draw(site: RunSite, colour: string) {
  server.requests.splice(0)
  const prompt = `[[call draw_square {"colour":"${colour}"}]] [[then]] [[say: Nice.]]`
  const { runId } = await start(site, prompt)
  const events = eventsIn(await collect(site.admin, runId))
  expect(events.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'completed' } })
  const image = imageIn(events)
  const bodies = server.requests.splice(0).map(({ body }) => JSON.stringify(body))
  const row = await db().fileContent.findUniqueOrThrow({ where: { sha256: image.sha256 } })
  const base64 = Buffer.from(row.content).toString('base64')
  expect(JSON.stringify(events)).not.toContain(base64)
  return { runId, events, image, bodies, base64 }
}

function imageIn(events: readonly RunEvent[]): RunFile {
  const end = events.find((event) => event.type === 'call-end')
  const [image] = (end?.data.outcome.type === 'ok' && end.data.outcome.images) || []
  if (!image) throw new Error('The call returned no image.')
  return image
}

async function read(id: string, as: Ctx): Promise<Response> {
  const key = await apiKeyOf(as, 'runs:read')
  const path = `/api/v1/files/${id}/content`
  return ask(contentRoute.GET, 'GET', path, { key, params: { fileId: id } })
}

test.each(['openai', 'openai-compatible', 'anthropic', 'ollama'] as const)(
  'over %s, a model gets the image of a result with its next request',
  async (wire) => {
    const { image, bodies, base64 } = await draw(await addSite(wire), '336699')
    expect(bodies.map((body) => body.split(base64).length - 1)).toEqual([0, 1])
    expect(image).toMatchObject({
      name: '336699.png',
      type: 'image/png',
      dataClass: 'internal-config',
      bytes: Buffer.from(base64, 'base64').length,
    })
  },
)

test('a model that is not known to take images is told so instead', async () => {
  const { bodies, base64 } = await draw(await addSite('openai-compatible', null), '112233')
  expect(bodies).toHaveLength(2)
  expect(bodies[1]).not.toContain(base64)
  expect(bodies[1]).toContain('was not sent: it is not known whether this model takes images.')
})

test('its person and admins may read an image, and nobody else', async () => {
  const site = await addSite('openai-compatible')
  const { image, base64 } = await draw(site, '445566')
  const shown = await read(image.id, site.admin)
  expect(Buffer.from(await shown.arrayBuffer()).toString('base64')).toBe(base64)
  expect(shown.headers.get('content-security-policy')).toContain('sandbox')
  expect((await read(image.id, await addPerson('admin'))).status).toBe(200)
  expect((await read(image.id, await addPerson('member'))).status).toBe(404)
})

test('an image keeps the data class of its tool in another run', async () => {
  const site = await addSite('openai-compatible')
  const { image } = await draw(site, '778899')
  const snapshot = { targets: [], raisedDataClass: 'secret-adjacent' as const }
  const request = [{ id: image.id, dataClass: 'content' as const }]
  const files = await withTransaction((tx) => readRunFiles(tx, site.admin, request, snapshot))
  expect(files).toMatchObject([{ dataClass: 'internal-config' }])
})

test('the same image is stored once, and goes with the last run that has it', async () => {
  const site = await addSite('openai-compatible')
  const [first, second] = [await draw(site, 'abcdef'), await draw(site, 'abcdef')]
  expect(first.image.sha256).toBe(second.image.sha256)
  const { sha256 } = first.image
  const left = async () => [
    await db().storedFile.count({ where: { sha256 } }),
    await db().fileContent.count({ where: { sha256 } }),
  ]
  await sweepFiles(db())
  expect(await left()).toEqual([2, 1])
  for (const [{ runId }, counts] of [
    [first, [1, 1]],
    [second, [0, 0]],
  ] as const) {
    await db().usageRecord.deleteMany({ where: { runId } })
    await db().run.delete({ where: { id: runId } })
    await sweepFiles(db())
    expect(await left()).toEqual(counts)
  }
})

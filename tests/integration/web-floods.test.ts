import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { freePort } from '@/lib/installation/embedded-postgres'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { type HostilePage, hostilePages } from '@/tests/support/hostile-pages'
import { tooCostly } from '@/tests/support/measure-server'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { startTestEngine } from '@/tests/support/test-engine'
import { sends, startWebServer } from '@/tests/support/web-server'

/** `npm run proof` reads all of it at the built server, and measures what each costs. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const patienceMs = full ? 900_000 : 120_000
const pages = Object.entries(hostilePages(full)).filter(([, { proof }]) => full || !proof)

let model: ModelServer
let site: RunSite
let web: Awaited<ReturnType<typeof startWebServer>>
let engine: Engine | undefined
let server: StandaloneServer | undefined

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt, record: false })
  site = await addRunSite(model.url)
  const served = pages.map(([name, { page }]) => [`/${name}`, page] as const)
  web = await startWebServer({ ...Object.fromEntries(served), '/good': sends('good') })
  await hostVerbs.create(site.admin, { name: web.origin, privateAddressAllowed: true })
  if (full) server = await startStandaloneServer(await freePort(0), {})
  else engine = await startTestEngine()
}, patienceMs)
afterAll(async () => {
  await server?.stop()
  await engine?.close()
  await model.close()
  await web.close()
})

/** Lets a model read a page, and looks how that ends: in a result of bounded length, or an error in words. */
async function readPage(name: string, ends: HostilePage['ends']): Promise<void> {
  const call = `[[call fetch_url {"url":"${web.origin}/${name}"}]]`
  const { runId } = await start(site, `${call} [[then]] [[say: done]]`)
  const events = await collect(site.admin, runId)
  const state = foldRun(events)
  expect([state.end?.reason, state.rounds.at(-1)?.text]).toEqual(['completed', 'done'])
  const ended = state.rounds[0]?.calls[0]?.state
  if (ended?.type !== 'ended') throw new Error('The call did not end.')
  const { outcome } = ended
  if (outcome.type === 'failed') {
    expect(ends, name).toContain(outcome.code)
    expect(outcome).toMatchObject({ message: expect.stringMatching(/\w+\.$/), incidentId: null })
  } else {
    expect(outcome.type, name).toBe('ok')
    expect(ends, name).toContain('read')
  }
  expect(JSON.stringify(events).length).toBeLessThan(300_000)
}

test(
  'what a hostile host sends ends in words, and costs nobody else anything',
  async () => {
    if (!server) {
      for (const [name, { ends }] of pages) await readPage(name, ends)
      return
    }
    // Modules that the first reading loads stay.
    await readPage('good', ['read'])
    const attacks = pages.map(([name, { ends }]) => ({ name, run: () => readPage(name, ends) }))
    expect(await tooCostly(server, attacks)).toEqual([])
  },
  patienceMs,
)

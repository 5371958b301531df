import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { decide, startOne } from '@/tests/support/approval-site'
import { addAsset, pngHead } from '@/tests/support/assets'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { sends, startWebServer } from '@/tests/support/web-server'
import { addWireSite, spokenWires } from '@/tests/support/wire-site'

let admin: Ctx
let model: ModelServer
let web: Awaited<ReturnType<typeof startWebServer>>
let engine: Engine
let storageId: string

const html = (text: string) => sends(text, { 'content-type': 'text/html' })

beforeAll(async () => {
  admin = await addPerson('admin')
  model = await startModelServer({ script: turnOfPrompt })
  web = await startWebServer({
    '/docs/': html('<title>Start</title><a href="birds">Birds</a>'),
    '/docs/birds': html('<title>Birds of the coast</title><p>The page says heron.</p>'),
  })
  engine = await startTestEngine()
  await siteVerbs.create(admin, {
    name: 'docs',
    address: `${web.origin}/docs/`,
    privateAddressAllowed: true,
  })
  await groupVerbs.create(admin, { name: 'Birds', description: 'The row says lapwing.' })
  const { id } = await dataSourceVerbs.create(admin, { name: 'console', kind: 'console' })
  const columns = ['name', 'description']
  await openTable(admin, { id, schema: 'public', name: 'groups', columns })
  storageId = (await storageVerbs.create(admin, { name: 'Media' })).id
  await switchTool(admin, { name: 'set_alternative_text', enabled: true, reason: 'a test' })
})
afterAll(async () => {
  await engine.close()
  await model.close()
  await web.close()
})

type Step = { name: string; args: object; result: string }
const text = 'A red kite over a field.'

/** The calls of a run, each in a round of its own, and what of its result the next request has to carry. */
const chain = (uid: string, title: string): Step[] => [
  {
    name: 'get_page_tree',
    args: { site: 'docs' },
    result: '{"path":"/docs/birds","title":"Birds of the coast"}',
  },
  {
    name: 'get_page_content',
    args: { url: `${web.origin}/docs/birds` },
    result: 'The page says heron.',
  },
  {
    name: 'read_records',
    args: { table: 'groups', filters: [{ column: 'name', value: 'Birds' }] },
    result: '"rows":[{"name":"Birds","description":"The row says lapwing."}]',
  },
  { name: 'search_files', args: { text: title }, result: `{"uid":"${uid}","storage":"Media"` },
  {
    name: 'set_alternative_text',
    args: { uid, text },
    result: `{"described":"${uid}","text":"${text}"}`,
  },
]

const input = {
  auto: ({ name, args }: Step) => `[[call ${name} ${JSON.stringify(args)}]]`,
  prompted: ({ name, args }: Step) =>
    `[[say: <tool_call>${JSON.stringify({ name, args })}</tool_call>]]`,
}

const textOf = async (uid: string) =>
  (await db().asset.findUniqueOrThrow({ where: { uid } })).alternativeText

test.each([
  ...spokenWires.map((wire) => [wire, 'auto'] as const),
  ['openai-compatible', 'prompted'] as const,
])(
  '%s, %s: what a site, a data source and a storage give reaches the next request, and a write waits',
  async (wire, toolMode) => {
    const site = await addWireSite(admin, model.url, { wire, toolMode })
    const title = `kite-${wire}-${toolMode}`
    const { uid } = await addAsset(admin, pngHead(), { storageId, path: `${title}.png`, title })
    const steps = chain(uid, title)
    const prompt = [...steps.map(input[toolMode]), '[[say: done]]'].join(' [[then]] ')
    const before = model.requests.length
    const waiting = await startOne(site, prompt)
    expect(waiting).toMatchObject({
      toolName: 'set_alternative_text',
      preview: { before: { type: 'nothing' }, becomes: { text } },
    })
    expect(await textOf(uid)).toBe('')
    await decide(admin, waiting, { type: 'approve', message: '' })
    const state = foldRun(await collect(admin, waiting.runId))
    expect(state.end?.reason).toBe('completed')
    expect(state.rounds.at(-1)?.text).toBe('done')
    const calls = state.rounds.flatMap((round) => round.calls)
    expect(calls).toMatchObject(
      steps.map(({ name }) => ({ name, state: { type: 'ended', outcome: { type: 'ok' } } })),
    )
    expect(calls.at(-1)?.state).toMatchObject({
      check: { approved: { text }, after: { type: 'text', text } },
    })
    const requests = model.requests.slice(before)
    expect(requests).toHaveLength(steps.length + 1)
    for (const [place, { result }] of steps.entries()) {
      const results = requests[place + 1]?.results ?? []
      expect(results).toHaveLength(place + 1)
      expect(results.at(-1)).toContain(result)
    }
    expect(requests[0]?.offered.includes('read_records')).toBe(toolMode === 'auto')
    expect(await textOf(uid)).toBe(text)
    const action = 'asset.describe'
    const { runId } = waiting
    expect(await db().auditEntry.findMany({ where: { action, objectId: uid } })).toMatchObject([
      {
        actorLabel: admin.actor.email,
        before: { alternativeText: '' },
        after: { alternativeText: text, runId, callId: calls.at(-1)?.callId },
      },
    ])
  },
)

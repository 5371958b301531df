import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { db as kernelDb } from '@/lib/kernel/db'
import { configureLogSink, flushLog } from '@/lib/kernel/log'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { checkServer } from '@/lib/toolset/servers/check'
import { reviewTools } from '@/lib/toolset/servers/review'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { commandLineOf } from '@/lib/words/command-line'
import { db } from '@/tests/support/fixture-db'
import { type Script, scriptedAddress, scriptedServer, textTool } from '@/tests/support/mcp/script'
import { acceptServer } from '@/tests/support/mcp/server-site'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { readRows } from '@/tests/support/test-database'
import { startTestEngine } from '@/tests/support/test-engine'

let model: ModelServer
let site: RunSite
let engine: Engine
const close: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  configureLogSink(kernelDb())
  model = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(model.url)
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await closeServers()
  await model.close()
  await db().server.deleteMany()
  await db().toolOverride.deleteMany()
  for (const each of close) await each()
})

/** One as keys are, and one with characters that JSON and addresses write in another way. */
const secrets = ['leak-0123456789abcdef', 'le"ak\\9876543210 fedcba']
const calls = ['text', 'data', 'links', 'says_failed', 'refuses', 'split', 'json'] as const

/** Returns a script that sends the secret back in every place that a server can write. */
function echoing(secret: string): Script {
  const text = `is ${secret}, ${encodeURIComponent(secret)}`
  const uri = `https://example.org/${encodeURIComponent(secret)}`
  const named = { type: 'string', title: text, description: text, default: text, enum: [text] }
  const schema = { type: 'object', description: text, properties: { [secret]: named } }
  const tool = textTool(`named ${secret}`, {
    title: text,
    description: text,
    outputSchema: schema,
    _meta: { [secret]: text },
    inputSchema: schema,
    annotations: { title: text },
    icons: [{ src: uri }],
  })
  const content = [{ type: 'text', text }]
  const results: Record<string, Record<string, unknown>> = {
    text: { content },
    data: { content: [], structuredContent: { [secret]: text, list: [{ text }] } },
    links: {
      content: [
        { type: 'resource_link', name: text, title: text, description: text, uri },
        { type: 'resource', resource: { uri, text } },
        { type: 'resource', resource: { uri, blob: 'AAAA' } },
        { type: 'audio', data: 'AAAA', mimeType: text },
        { type: 'image', data: 'AAAA', mimeType: text },
      ],
    },
    says_failed: { content, isError: true },
    split: { content: [{ type: 'text', text: [...secret].join('\0') }] },
    json: { content: [{ type: 'text', text: JSON.stringify({ key: secret }) }] },
  }
  // It stands where a message that is cut would end in the middle of it.
  const message = `${'x'.repeat(190)}${secret}`
  return {
    calledAs: text,
    says: text,
    tools: [...calls.map((name) => textTool(name)), tool, { name: text, inputSchema: text }],
    calls: {
      ...Object.fromEntries(Object.entries(results).map(([name, result]) => [name, { result }])),
      refuses: { error: { code: -32_000, message, data: { text } } },
    },
  }
}

async function addServer(name: string, kind: 'stdio' | 'http', secret: string): Promise<string> {
  if (kind === 'stdio') {
    const { command, close: end } = await scriptedServer(echoing(secret))
    close.push(end)
    const values = { kind, command: commandLineOf(command), variables: `API_KEY=${secret}` }
    return (await serverVerbs.create(site.admin, { name, ...values })).id
  }
  const { url, close: end } = await scriptedAddress(echoing(secret))
  close.push(end)
  const headers = `Authorization: Bearer ${secret}`
  const values = { kind, url, headers, privateAddressAllowed: true }
  return (await serverVerbs.create(site.admin, { name, ...values })).id
}

test.each(
  (['stdio', 'http'] as const).flatMap((kind) =>
    secrets.map((secret, at) => [kind, at, secret] as const),
  ),
)(
  'what a server (%s) sends shows its secret (%#) nowhere, wherever it stands',
  async (kind, at, secret) => {
    const name = `${kind}-${at}`
    const id = await addServer(name, kind, secret)
    const checked = await checkServer(site.admin, { id })
    expect(checked).toMatchObject({ trouble: null, tools: calls.length + 1 })
    expect(checked.problems).toHaveLength(1)
    await acceptServer(site.admin, id)
    const prompt = calls.map((call) => `[[call ${kind}_${at}__${call} {"text":"a"}]]`)
    const { runId } = await start(site, [...prompt, '[[say: {{results}}]]'].join(' [[then]] '), {
      maxRounds: calls.length + 1,
    })
    const updates = await collect(site.admin, runId)
    const outcomes = foldRun(updates).rounds.flatMap((round) =>
      round.calls.map(({ state }) => (state.type === 'ended' ? state.outcome.type : state.type)),
    )
    expect(outcomes).toEqual(['ok', 'ok', 'ok', 'failed', 'failed', 'ok', 'ok'])
    // A second look writes about the messages of the calls, too.
    const again = await checkServer(site.admin, { id })
    await flushLog()
    const shown = [
      checked,
      again,
      updates,
      await reviewTools(site.admin, { id }),
      await serverVerbs.read(site.admin, { id }),
      model.requests,
    ]
    const everything = [...(await readRows()).values(), JSON.stringify(shown)].join('\n')
    const around = (text: string) =>
      everything
        .split(text)
        .slice(0, -1)
        .map((before) => before.slice(-100))
    expect(around('[secret]')).not.toEqual([])
    const written = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
    for (const form of written.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)])) {
      expect(around(form.slice(0, 10))).toEqual([])
    }
  },
)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { freePort } from '@/lib/installation/embedded-postgres'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { checkServer } from '@/lib/toolset/servers/check'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { commandLineOf } from '@/lib/words/command-line'
import { apiKeyOf } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import {
  type Flood,
  floodsOn,
  full,
  lists,
  timedOut,
  type Wire,
  wires,
} from '@/tests/support/mcp/floods'
import { type Script, scriptedAddress, scriptedServer, textTool } from '@/tests/support/mcp/script'
import { acceptServer } from '@/tests/support/mcp/server-site'
import { tooCostly } from '@/tests/support/measure-server'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { startTestEngine } from '@/tests/support/test-engine'
import { words } from '@/tests/support/words'

// `npm run proof` measures the cost of one flood at the built server.
const patienceMs = full ? 900_000 : 120_000

let model: ModelServer
let site: RunSite
let key: string
let engine: Engine | undefined
let server: StandaloneServer | undefined
const close: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt, record: false })
  site = await addRunSite(model.url)
  key = await apiKeyOf(site.admin, 'servers:write')
  if (full) server = await startStandaloneServer(await freePort(0), {})
  else engine = await startTestEngine()
})
afterAll(async () => {
  await server?.stop()
  await engine?.close()
  await closeServers()
  await model.close()
  await db().server.deleteMany()
  await db().toolOverride.deleteMany({ where: { toolName: { contains: '__' } } })
  for (const each of close) await each()
})

async function addServer(name: string, wire: Wire, script: Script, callSeconds = 60) {
  const { id, notes } = await placed({ name, callSeconds }, wire, script)
  return { id, notes, check: () => check(id) }
}

type Named = { name: string; callSeconds: number }

async function placed(named: Named, wire: Wire, script: Script) {
  const { admin } = site
  if (wire === 'stdio') {
    const made = await scriptedServer(script)
    close.push(made.close)
    const command = commandLineOf(made.command)
    const fields = { ...named, kind: 'stdio', command } as const
    return { ...made, ...(await serverVerbs.create(admin, fields)) }
  }
  const made = await scriptedAddress({ ...script, streams: wire === 'events' })
  close.push(made.close)
  const place = { kind: 'http', url: made.url, privateAddressAllowed: true } as const
  return { ...made, ...(await serverVerbs.create(admin, { ...named, ...place })) }
}

/** Lets the server that works on the runs read the tools of another one. */
async function check(id: string): Promise<unknown> {
  if (!server) return checkServer(site.admin, { id })
  const headers = { authorization: `Bearer ${key}` }
  const address = `${server.baseUrl}/api/v1/servers/${id}/check`
  return (await fetch(address, { method: 'POST', headers })).json()
}

const call = (name: string) => `[[call ${name} {"text":"a"}]]`

/** Runs these calls one after the other, and returns how they ended. */
async function outcomesOf(names: string[], last = 'say: done') {
  const prompt = [...names.map(call), `[[${last}]]`].join(' [[then]] ')
  const { runId } = await start(site, prompt, { maxRounds: names.length + 1 })
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds.at(-1)?.text).toBe(last.slice(last.indexOf(':') + 2))
  const calls = state.rounds.flatMap((round) => round.calls)
  return calls.map(({ state: ended }) => (ended.type === 'ended' ? ended.outcome : ended))
}

/** Adds a server whose tools do these things. Returns what calls some of them and looks how each call ends. */
async function calling(name: string, wire: Wire, own: [tool: string, Flood][], seconds: number) {
  const script = {
    tools: own.map(([tool]) => textTool(tool)),
    calls: Object.fromEntries(own.map(([tool, { does }]) => [tool, does])),
  }
  const { id, ...hostile } = await addServer(name, wire, script, seconds)
  await hostile.check()
  await acceptServer(site.admin, id, { effect: 'write' })
  return async (some: [tool: string, Flood][] = own) =>
    expect(await outcomesOf(some.map(([tool]) => `${name}__${tool}`))).toMatchObject(
      some.map(([, { outcome }]) => outcome),
    )
}

const isSilent = ([, { outcome }]: [tool: string, Flood]) => outcome === timedOut

/** Returns what floods the site over a wire, and looks how it ends: `all` at once, and `each` by itself. */
async function flooding(wire: Wire) {
  const own = floodsOn(wire)
  const loud = own.filter((flood) => !isSilent(flood))
  const [callSilent, callLoud] = [
    await calling(`${wire}silent`, wire, own.filter(isSilent), 1),
    await calling(wire, wire, loud, 60),
  ]
  const checks = await Promise.all(
    lists.map(async ([name, script, outcome]) => {
      const tools = [textTool('a')]
      const { check } = await addServer(`${wire}-${name}`, wire, { tools, ...script })
      return { name, run: async () => expect(await check()).toMatchObject(outcome) }
    }),
  )
  const each = [
    ...own.map((flood) => ({
      name: flood[0],
      run: () => (isSilent(flood) ? callSilent : callLoud)([flood]),
    })),
    ...checks,
  ].map(({ name, run }) => ({ name: `${name} (${wire})`, run }))
  const all = () => Promise.all([callSilent(), callLoud(), ...checks.map(({ run }) => run())])
  return { all, each }
}

/** Checks servers that do not answer before they have tools, which takes a minute. */
async function silences() {
  const methods = ['initialize', 'tools/list']
  const added = await Promise.all(
    wires.flatMap((wire) =>
      methods.map((method, at) =>
        addServer(`${wire}-silence-${at}`, wire, { tools: [], silent: [method] }),
      ),
    ),
  )
  const outcome = { trouble: expect.stringMatching(/did not answer (in time|within 30 seconds)/) }
  const run = async () =>
    expect(await Promise.all(added.map(({ check }) => check()))).toMatchObject(
      added.map(() => outcome),
    )
  return { name: 'silence', run }
}

/** Runs calls of a good server and then a long answer, which nothing else may change. */
async function beside(): Promise<void> {
  const outcomes = await outcomesOf(
    Array.from({ length: 4 }, () => 'good__echo'),
    `say slowly 50ms: ${words(30)}`,
  )
  expect(outcomes.map(({ type }) => type)).toEqual(Array(4).fill('ok'))
}

test(
  'servers that hang, flood or lie harm their own calls alone',
  async () => {
    const good = await addServer('good', 'stdio', { tools: [textTool('echo')] })
    await good.check()
    await acceptServer(site.admin, good.id)
    const floodings = await Promise.all(wires.map(flooding))
    if (!server) {
      await Promise.all([beside(), ...floodings.map(({ all }) => all())])
      return
    }
    await beside()
    const steps = [await silences(), ...floodings.flatMap(({ each }) => each)]
    const attacks = steps.map(({ name, run }) => ({
      name,
      run: () => Promise.all([beside(), run()]),
    }))
    expect(await tooCostly(server, attacks)).toEqual([])
  },
  patienceMs,
)

test('a write whose result is not what was promised may have taken effect', async () => {
  const outputSchema = { type: 'object', properties: { done: { type: 'boolean' } } }
  const result = { content: [], structuredContent: { done: 'yes' } }
  const { id, ...made } = await addServer('promises', 'stdio', {
    tools: [textTool('write', { outputSchema })],
    calls: { write: { result } },
  })
  await made.check()
  await acceptServer(site.admin, id, { effect: 'write' })
  expect(await outcomesOf(['promises__write'])).toMatchObject([
    { code: 'result-not-valid', message: expect.stringContaining('may have taken effect') },
  ])
})

test.each(wires)(
  'a server (%s) that changes its tools between the look and the call is not called',
  async (wire) => {
    const name = `changes-${wire}`
    const { id, ...made } = await addServer(name, wire, {
      tools: [textTool('echo')],
      list: { changing: true },
    })
    await made.check()
    await acceptServer(site.admin, id)
    // A new value of a secret makes a new connection.
    const secret = wire === 'stdio' ? { variables: 'A=1' } : { headers: 'X-A: 1' }
    await serverVerbs.update(site.admin, { id, ...secret })
    // The call finds the change itself, or the process that read it stops the call.
    const [outcome] = await outcomesOf([`changes_${wire}__echo`])
    expect(['failed', 'cancelled']).toContain(outcome?.type)
    expect(JSON.stringify(outcome)).toContain('changed')
    expect(made.notes()).not.toContain('call echo')
  },
)

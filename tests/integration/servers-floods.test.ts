import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { freePort } from '@/lib/installation/embedded-postgres'
import { commandLineOf } from '@/lib/protocol/command-line'
import { foldRun } from '@/lib/protocol/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { type CheckOutcome, checkServer } from '@/lib/toolset/servers/check'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { apiKeyOf } from '../support/api-client'
import { db } from '../support/fixture-db'
import {
  type Does,
  type Script,
  scriptedAddress,
  scriptedServer,
  textTool,
} from '../support/mcp/script'
import { acceptServer } from '../support/mcp/server-site'
import { measureServer } from '../support/measure-server'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '../support/run-site'
import { type StandaloneServer, startStandaloneServer } from '../support/standalone-server'
import { startTestEngine } from '../support/test-engine'
import { words } from '../support/words'

/** `npm run proof` does all of this again and again at the built server, and measures it. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const times = full ? 5 : 1
const most = { moreMebibytes: 100, answerMs: 250 }

const wires = ['stdio', 'http', 'events'] as const
type Wire = (typeof wires)[number]

const mebibyte = 1024 * 1024
/** The suite sends a little more than may be, or enough of it. */
const size = full
  ? {
      ...{ large: 9 * mebibyte, zipped: 1024 * mebibyte, values: 1_000_000, parts: 100_000 },
      ...{ message: 64 * 1024, tools: 100_000 },
    }
  : {
      ...{ large: mebibyte, zipped: 32 * mebibyte, values: 100_100, parts: 1_001 },
      ...{ message: 100, tools: 1_001 },
    }
const timedOut = { type: 'timed-out', timeoutMs: 1_000 }
const failed = (code: string, message: string) => ({
  ...{ type: 'failed', code: `server-${code}` },
  message: expect.stringContaining(message),
})
const ofHttp = (http: Extract<Does, { http: unknown }>['http'], outcome: unknown) =>
  ({ does: { http }, outcome, on: ['http'] }) satisfies Flood

type Flood = {
  does: Does
  outcome: unknown
  /** Where it can be done; left out = everywhere. */
  on?: readonly Wire[]
}

const answered = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'
/** What a server does in calls of its tools, by their names. */
const floods: Record<string, Flood> = {
  hangs: { does: { never: true }, outcome: timedOut },
  late: { does: { late: true }, outcome: timedOut },
  other: { does: { otherId: true }, outcome: timedOut },
  large: {
    does: { bytes: size.large },
    outcome: { type: 'ok', truncated: true, originalBytes: size.large },
  },
  gigabyte: { does: { bytes: 1024 * mebibyte }, outcome: failed('too-much', 'more than 10 MiB') },
  deep: { does: { deep: 100_000 }, outcome: failed('too-much', 'nested too deeply') },
  values: { does: { values: size.values }, outcome: failed('too-much', 'more than 100000 values') },
  parts: { does: { parts: size.parts }, outcome: failed('too-much', 'more than 1000 parts') },
  chatter: {
    does: { chatter: size.message },
    outcome: failed('too-much', 'more than it may'),
    on: ['stdio', 'events'],
  },
  exits: {
    does: { exit: 1 },
    outcome: failed('ended', 'The call may have taken effect and is not repeated.'),
  },
  // The rest of a stream could be asked for, if it had names for its events.
  breaks: {
    does: { http: { body: ': begun\n\n', breaks: true } },
    outcome: timedOut,
    on: ['events'],
  },
  zipped: ofHttp(
    { headers: { 'content-encoding': 'gzip' }, zippedBytes: size.zipped },
    failed('too-much', 'more than 10 MiB'),
  ),
  short: ofHttp(
    { headers: { 'content-length': '10' }, body: answered },
    failed('not-mcp', 'does not answer as an MCP server does'),
  ),
  long: ofHttp({ headers: { 'content-length': '1000000' }, body: answered }, timedOut),
  cut: ofHttp(
    { headers: { 'content-length': '1000000' }, body: answered, breaks: true },
    failed('ended', 'broke the connection off'),
  ),
  away: ofHttp(
    { status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
    failed('not-mcp', 'answered 307'),
  ),
}
const floodsOn = (wire: Wire) =>
  Object.entries(floods).filter(([, { on = wires }]) => on.includes(wire))

/** What a server does when it is asked for its tools, and what the check of it says. */
const lists: [script: Partial<Script>, outcome: Partial<CheckOutcome>][] = [
  [{ list: { count: size.tools } }, { trouble: expect.stringContaining('more than'), tools: 0 }],
  [{ list: { endless: true } }, { trouble: expect.stringContaining('100 pages'), tools: 0 }],
  [
    { list: { descriptionBytes: 11 * mebibyte } },
    { trouble: expect.stringContaining('more than 10 MiB'), tools: 0 },
  ],
  [
    { list: { descriptionBytes: 7 * mebibyte } },
    { trouble: null, tools: 0, problems: [expect.stringContaining('larger than 256 KiB')] },
  ],
  ...(full
    ? ['initialize', 'tools/list'].map((method): (typeof lists)[number] => [
        { silent: [method] },
        { trouble: expect.stringContaining('did not answer in time'), tools: 0 },
      ])
    : []),
]

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

/** Adds a server whose tools do these things. Returns what calls them and checks how each call ends. */
async function calling(name: string, wire: Wire, own: [tool: string, Flood][], seconds: number) {
  const { id, ...hostile } = await addServer(
    name,
    wire,
    {
      tools: own.map(([tool]) => textTool(tool)),
      calls: Object.fromEntries(own.map(([tool, { does }]) => [tool, does])),
    },
    seconds,
  )
  await hostile.check()
  await acceptServer(site.admin, id, { effect: 'write' })
  return async () =>
    expect(await outcomesOf(own.map(([tool]) => `${name}__${tool}`))).toMatchObject(
      own.map(([, { outcome }]) => outcome),
    )
}

/** Returns what floods the site over a wire, and checks how each flood ends. */
async function flooding(wire: Wire): Promise<() => Promise<unknown>> {
  const own = floodsOn(wire)
  const isSilent = ([, { outcome }]: [string, Flood]) => outcome === timedOut
  const calls = [
    await calling(`${wire}silent`, wire, own.filter(isSilent), 1),
    await calling(
      wire,
      wire,
      own.filter((flood) => !isSilent(flood)),
      60,
    ),
  ]
  const listing = await Promise.all(
    lists.map(([script], at) =>
      addServer(`${wire}-list-${at}`, wire, { tools: [textTool('a')], ...script }),
    ),
  )
  const check = async () =>
    expect(await Promise.all(listing.map((each) => each.check()))).toMatchObject(
      lists.map(([, outcome]) => outcome),
    )
  return () => Promise.all([...calls.map((call) => call()), check()])
}

/** Runs calls of a good server and a long answer while others flood the site. */
async function beside(): Promise<void> {
  const answer = words(full ? 300 : 20)
  const outcomes = await outcomesOf(
    Array.from({ length: 4 }, () => 'good__echo'),
    `say slowly 50ms: ${answer}`,
  )
  expect(outcomes.map(({ type }) => type)).toEqual(Array(4).fill('ok'))
}

test('servers that hang, flood or lie harm their own calls alone', async () => {
  const good = await addServer('good', 'stdio', { tools: [textTool('echo')] })
  await good.check()
  await acceptServer(site.admin, good.id)
  const floodings = await Promise.all(wires.map(flooding))
  if (!server) return void (await Promise.all([beside(), ...floodings.map((flood) => flood())]))
  await outcomesOf(['good__echo'])
  const measured = await measureServer(server, async () => {
    for (let time = 0; time < times; time++) {
      for (const flood of floodings) await Promise.all([beside(), flood()])
    }
  })
  console.log(
    `While servers flooded it: ${measured.moreMebibytes} MiB more memory, answers within ${measured.answerMs} ms`,
  )
  expect(measured.moreMebibytes).toBeLessThanOrEqual(most.moreMebibytes)
  expect(measured.answerMs).toBeLessThanOrEqual(most.answerMs)
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

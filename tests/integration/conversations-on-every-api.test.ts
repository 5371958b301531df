import { afterAll, beforeAll, expect, test } from 'vitest'
import { readUsageTotals } from '@/lib/domains/usage/reads'
import { usageWindow } from '@/lib/domains/usage/usage-window'
import type { Ctx } from '@/lib/kernel/context'
import { addCost, addUsage, emptyUsage } from '@/lib/protocol/cost/cost'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { listConversations } from '@/lib/runs/conversations/conversations'
import type { Engine } from '@/lib/runs/engine/engine'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, type RunSite, start } from '@/tests/support/run-site'
import { expectStablePrefix, requestParts } from '@/tests/support/stable-prefix'
import { startTestEngine } from '@/tests/support/test-engine'
import { addWireSite, spokenWires } from '@/tests/support/wire-site'

let admin: Ctx
let model: ModelServer
let engine: Engine

beforeAll(async () => {
  admin = await addPerson('admin')
  const cache = openCache()
  model = await startModelServer({
    script: (request) => ({ ...turnOfPrompt(request), usage: cache.count(request) }),
  })
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await model.close()
})

/** Keeps what it was sent, as providers do, and bills the beginning that a request shares with one before as cached. */
function openCache() {
  const kept: string[] = []
  const tokens = (characters: number) => Math.ceil(characters / 4)
  return {
    count: (request: ServedRequest) => {
      const { history, others } = requestParts(JSON.stringify(request.body))
      const text = JSON.stringify(others) + history.slice(0, -1)
      const known = kept.filter((before) => text.startsWith(before)).map(({ length }) => length)
      kept.push(text)
      const inputTokens = tokens(text.length)
      return {
        inputTokens,
        outputTokens: 20,
        cachedInputTokens: reportsCache(request) ? tokens(Math.max(0, ...known)) : 0,
      }
    },
  }
}

/** Ollama keeps what it was sent, too, but says nothing of it. */
const reportsCache = ({ wire }: ServedRequest) => wire !== 'ollama'

const million = 1_000_000
const prices = {
  input: 3 * million,
  output: 15 * million,
  cachedInput: 300_000,
  cacheWrite: 4 * million,
  reasoning: null,
}

const question = {
  auto: (args: string) => `[[call calculate ${args}]]`,
  prompted: (args: string) => `[[say: <tool_call>{"name":"calculate","args":${args}}</tool_call>]]`,
}

/** Runs a turn with one call. Returns what it sent, and its state. */
async function turn(site: RunSite, call: string, number: number, continues: string | null) {
  const before = model.requests.length
  const prompt = `Turn ${number}. [[reason: Seven times.]] ${call} [[then]] [[say: Answer ${number}.]]`
  const { runId } = await start(site, prompt, { continues })
  const state = foldRun(await collect(admin, runId))
  expect(state.end?.reason, state.end?.message).toBe('completed')
  expect(state.rounds.at(-1)?.text).toBe(`Answer ${number}.`)
  const calls = state.rounds.flatMap((round) => round.calls)
  expect(calls).toMatchObject([{ state: { type: 'ended', outcome: { type: 'ok' } } }])
  const requests = model.requests.slice(before)
  expect(requests).toHaveLength(2)
  return { runId, state, requests }
}

test.each([
  ...spokenWires.map((wire) => [wire, 'auto'] as const),
  ['openai-compatible', 'prompted'] as const,
])(
  '%s, %s: each turn sends what the turn before sent byte for byte, is billed from the cache, and the sums of the conversation are those of usage',
  async (wire, toolMode) => {
    const site = await addWireSite(admin, model.url, { wire, toolMode, prices })
    const turns: Awaited<ReturnType<typeof turn>>[] = []
    for (const number of [1, 2, 3]) {
      const call = question[toolMode](`{"expression":"${number} * 7"}`)
      turns.push(await turn(site, call, number, turns.at(-1)?.runId ?? null))
    }
    const requests = turns.flatMap((each) => each.requests)
    expectStablePrefix(requests.map(({ body }) => JSON.stringify(body)))
    const last = JSON.stringify(requests.at(-1)?.body)
    const timesIn = (text: string) => last.split(text).length - 1
    expect(['Turn 1.', 'Turn 2.', 'Turn 3.'].map(timesIn)).toEqual([1, 1, 1])
    // The prompts say the answers, too.
    expect(['Answer 1.', 'Answer 2.', 'Answer 3.'].map(timesIn)).toEqual([2, 2, 1])
    const usage = turns.reduce((sum, { state }) => addUsage(sum, state.usage), emptyUsage)
    const cost = turns.reduce(
      (sum: number | null, each) => addCost(sum, each.state.costMicroUsd),
      0,
    )
    for (const { state } of turns.slice(1)) {
      const { cachedInputTokens, inputTokens } = state.usage
      const share = cachedInputTokens / inputTokens
      if (wire === 'ollama') expect(share).toBe(0)
      else expect(share).toBeGreaterThan(0.8)
    }
    const { inputTokens, cachedInputTokens, outputTokens } = usage
    const sums = { inputTokens, cachedInputTokens, outputTokens, costMicroUsd: cost }
    const { conversations } = await listConversations(admin, {})
    const [first] = turns
    expect(conversations.find(({ id }) => id === first?.runId)).toMatchObject({ turns: 3, ...sums })
    const where = { identifier: site.configuration }
    const { id: configuration } = await db().configuration.findUniqueOrThrow({ where })
    const window = usageWindow('24h', new Date())
    expect(await readUsageTotals(admin, window, { configuration })).toMatchObject({
      calls: 6,
      runs: 3,
      unpriced: 0,
      estimated: 0,
      ...sums,
    })
  },
)

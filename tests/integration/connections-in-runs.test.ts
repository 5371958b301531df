import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { failuresToOpen, recordConnectionFailure } from '@/lib/domains/connections/health'
import { setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { pool } from '@/lib/kernel/db'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import {
  type ApprovalSite,
  append,
  decide,
  finish,
  openApprovalSite,
  startOne,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ScriptedTurn } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { collect, start } from '@/tests/support/run-site'

const firstKey = 'sk-first-0123456789abcd'
const nextKey = 'sk-next-0123456789wxyz'

let site: ApprovalSite
let main: ModelServer
let spare: ModelServer
let elsewhere: ModelServer
let held: Promise<ScriptedTurn> | null = null

beforeAll(async () => {
  site = await openApprovalSite()
  main = await startModelServer({ script: (request) => held ?? turnOfPrompt(request) })
  spare = await startModelServer({ script: () => ({ text: 'From the spare.' }) })
  elsewhere = await startModelServer({ script: () => ({ text: 'From elsewhere.' }) })
  await site.startEngine()
})
afterEach(() => site.removeRules())
afterAll(async () => {
  await site.close()
  for (const server of [main, spare, elsewhere]) await server.close()
})

async function addConnection(name: string, server: ModelServer, wire: ModelTarget['wire']) {
  const { id: connectionId } = await createConnection(site.admin, {
    name,
    wire,
    baseUrl: `${server.url}/v1`,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: firstKey,
    maxTries: 1,
  })
  const model = { connectionId, modelId: 'test-model', displayName: 'Test model' }
  return { connectionId, modelId: (await createModel(site.admin, model)).id }
}

/** Adds a configuration over `main`, with a fallback over `spare` if asked for. */
async function addChain({ fallback = false, wire = 'openai' as ModelTarget['wire'] } = {}) {
  const tag = randomUUID().slice(0, 8)
  const first = await addConnection(`Main ${tag}`, main, wire)
  const second = fallback ? await addConnection(`Spare ${tag}`, spare, wire) : null
  const configuration = `chain-${tag}`
  const fallbackModelIds = second ? [second.modelId] : []
  const facts = { identifier: configuration, name: tag, modelId: first.modelId, fallbackModelIds }
  await createConfiguration(site.admin, facts)
  const asSite = { admin: site.admin, configuration }
  return { asSite, mainId: first.connectionId, spareId: second?.connectionId ?? '', tag }
}

/** Lets a run wait for a person, does `change` meanwhile, approves, and gives how the run ended. */
async function changedWhileWaiting(
  chain: Awaited<ReturnType<typeof addChain>>,
  change: () => Promise<unknown>,
  prompt = append('a line'),
) {
  await site.addRule()
  const row = await startOne(chain.asSite, prompt)
  const before = [main, spare, elsewhere].map(({ requests }) => requests.length)
  await change()
  await decide(site.admin, row, { type: 'approve', message: '' })
  const { end, rounds } = await finish(site.admin, row.runId)
  const requests = [main, spare, elsewhere].map((server, index) =>
    server.requests.slice(before[index]),
  )
  const events = await collect(site.admin, row.runId)
  const types = events.map(({ type }) => type)
  return { runId: row.runId, end, text: rounds.at(-1)?.text, types, requests, tag: chain.tag }
}

const sent = ({ requests }: { requests: unknown[][] }) => requests.map(({ length }) => length)

describe('a run that goes on after its connection was changed', () => {
  test('sends nothing to a new host, neither its own key nor the new one, and says why', async () => {
    const chain = await addChain()
    const moved = await changedWhileWaiting(chain, () =>
      updateConnection(site.admin, {
        id: chain.mainId,
        baseUrl: `${elsewhere.url}/v1`,
        apiKey: nextKey,
      }),
    )
    expect(sent(moved)).toEqual([0, 0, 0])
    expect(moved.types).not.toContain('model-retry')
    expect(moved.end).toMatchObject({
      reason: 'provider-error',
      failure: {
        category: 'connection-changed',
        advice: `Main ${chain.tag} changed its address or API type after this run started, so nothing was sent to it. Start the run again.`,
      },
    })
    const usage = await db().usageRecord.findMany({ where: { runId: moved.runId } })
    expect(usage.map(({ errorCategory }) => errorCategory)).toEqual([null])
  })

  test.each([
    ['of the same host', () => ({ wire: 'anthropic' as const })],
    [
      'of another provider',
      () => ({
        wire: 'anthropic' as const,
        baseUrl: null,
        apiKey: nextKey,
        trustZone: 'local' as const,
        confirmZone: 'api.anthropic.com',
        reason: 'For this test.',
      }),
    ],
  ])('asks no other wire %s', async (_, change) => {
    const chain = await addChain()
    const moved = await changedWhileWaiting(chain, () =>
      updateConnection(site.admin, { id: chain.mainId, ...change() }),
    )
    expect(sent(moved)).toEqual([0, 0, 0])
    expect(moved.end?.failure?.category).toBe('connection-changed')
  })

  test('sends nothing to whoever is trusted less by now', async () => {
    const chain = await addChain()
    const rezoned = await changedWhileWaiting(chain, () =>
      updateConnection(site.admin, {
        id: chain.mainId,
        trustZone: 'external-global',
        reason: 'it is a cloud',
      }),
    )
    expect(sent(rezoned)).toEqual([0, 0, 0])
    expect(rezoned.end?.failure).toMatchObject({
      category: 'connection-changed',
      advice: expect.stringContaining('has a lower trust zone than when this run started'),
    })
  })

  test('passes over a fallback that was moved before it was first used', async () => {
    const chain = await addChain({ fallback: true })
    const moved = await changedWhileWaiting(
      chain,
      () =>
        updateConnection(site.admin, {
          id: chain.spareId,
          baseUrl: `${elsewhere.url}/v1`,
          apiKey: nextKey,
        }),
      '[[call append_line {"text":"a"}]] [[then]] [[status 500]]',
    )
    expect(sent(moved)).toEqual([1, 0, 0])
    expect(moved.end?.failure?.category).toBe('connection-changed')
  })

  test('goes on with the next of its chain when the first was moved', async () => {
    const chain = await addChain({ fallback: true })
    const moved = { baseUrl: `${elsewhere.url}/v1`, apiKey: null }
    const rescued = await changedWhileWaiting(chain, () =>
      updateConnection(site.admin, { id: chain.mainId, ...moved }),
    )
    expect(sent(rescued)).toEqual([0, 1, 0])
    expect(rescued.text).toBe('From the spare.')
  })

  test('uses the key that took the place of its own for the same host', async () => {
    const chain = await addChain()
    const rotated = await changedWhileWaiting(chain, () =>
      setConnectionKey(site.admin, { id: chain.mainId, apiKey: nextKey }),
    )
    expect(rotated.text).toBe('that is all')
    expect(rotated.requests[0]).toMatchObject([{ headers: { authorization: `Bearer ${nextKey}` } }])
  })
})

test('SPEC G-R: switching off the connection that a run is on ends the run', async () => {
  const chain = await addChain({ fallback: true })
  let answer: (turn: ScriptedTurn) => void = () => undefined
  held = new Promise((resolve) => {
    answer = resolve
  })
  const before = main.requests.length
  const { runId } = await start(chain.asSite, 'Who is there?')
  await expect.poll(() => main.requests.length).toBe(before + 1)
  await updateConnection(site.admin, { id: chain.mainId, enabled: false, reason: 'leaked' })
  answer({ calls: [{ name: 'list_groups', arguments: {} }] })
  held = null
  const { end, rounds } = await finish(site.admin, runId)
  expect(end).toMatchObject({
    reason: 'revoked',
    message: `The connection Main ${chain.tag} was switched off.`,
  })
  expect(rounds.map(({ target }) => target)).toEqual([0])
  expect(main.requests.length).toBe(before + 1)
})

test('SPEC G-R: a run that waits for a person ends when its connection is switched off', async () => {
  const chain = await addChain({ fallback: true })
  await site.addRule()
  const { runId } = await startOne(chain.asSite, append('a line'))
  await updateConnection(site.admin, { id: chain.mainId, enabled: false, reason: 'leaked' })
  const { end } = await finish(site.admin, runId)
  expect(end?.reason).toBe('revoked')
  expect(await db().approval.count({ where: { runId, status: 'pending' } })).toBe(0)
})

test('a fallback that is switched off before it is used is passed over', async () => {
  const chain = await addChain({ fallback: true })
  await site.addRule()
  const prompt = '[[call append_line {"text":"a"}]] [[then]] [[status 500]]'
  const row = await startOne(chain.asSite, prompt)
  const before = spare.requests.length
  await updateConnection(site.admin, { id: chain.spareId, enabled: false, reason: 'leaked' })
  await decide(site.admin, row, { type: 'approve', message: '' })
  const { end } = await finish(site.admin, row.runId)
  expect(end).toMatchObject({ reason: 'revoked' })
  expect(spare.requests.length).toBe(before)
})

test('one try of an open circuit keeps others off for as long as its provider may take', async () => {
  const chain = await addChain()
  const connectionId = chain.mainId
  await updateConnection(site.admin, { id: connectionId, firstByteTimeoutMs: 120_000 })
  const failure = { category: 'server', advice: 'It failed.' }
  for (let failed = 0; failed < failuresToOpen; failed++)
    await recordConnectionFailure(pool(), connectionId, failure)
  const seconds = (ago: number) => new Date(Date.now() - ago * 1000)
  const probed = (ago: number) =>
    db().connectionHealth.update({
      where: { connectionId },
      data: { openUntil: seconds(300), probeAt: seconds(ago) },
    })
  await probed(100)
  const before = main.requests.length
  const early = await start(chain.asSite, '[[say: hello]]')
  const { end } = await finish(site.admin, early.runId)
  expect(end?.failure).toMatchObject({
    category: 'circuit-open',
    advice: expect.stringContaining('another request is testing it now'),
  })
  expect(main.requests.length).toBe(before)
  await probed(136)
  const late = await start(chain.asSite, '[[say: hello]]')
  expect((await finish(site.admin, late.runId)).end?.reason).toBe('completed')
})

import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { addKey } from '@/lib/domains/connections/key-verbs'
import { attachSkill } from '@/lib/domains/skills/attachments'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { worstCostMicroUsd } from '@/lib/protocol/cost/cost'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { DryRun } from '@/lib/runs/dry-run/dry-run'
import { readSentRequest } from '@/lib/runs/read-sent-request'
import { addLocalModel } from '@/tests/support/add-local-model'
import {
  changeConnection,
  dry,
  dryRunsOfFile,
  idOf,
  leavingAll,
  upload,
  usedBy,
  type Wishes,
} from '@/tests/support/dry-run-site'
import { db } from '@/tests/support/fixture-db'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { greet, pasteSkill } from '@/tests/support/task-fixture'

const server = dryRunsOfFile()

/** Replaces the tag of a run's fence and its canary: a run draws them when it starts. */
function withoutRandom(json: string): string {
  return json
    .replaceAll(/untrusted-[0-9a-f]{16}/g, 'untrusted-NONCE')
    .replaceAll(/canary-[0-9a-f]{16}/g, 'canary-CANARY')
}

const inOneLine = (json: string) => JSON.stringify(JSON.parse(json))

/** Makes a dry run and then the run, and expects what was sent to be what the dry run showed. */
async function expectSame(site: RunSite, wishes: Wishes = {}, prompt?: string) {
  const mark = randomUUID()
  const words = prompt ?? `${mark} [[say: Done.]]`
  const dried = await leavingAll(server, () => dry(site, words, wishes))
  expect(dried.refusal).toBeNull()
  const count = server.requests.length
  const { runId } = await start(site, words, wishes)
  const state = foldRun(await collect(site.admin, runId))
  const [served] = server.requests.slice(count)
  const [round] = state.rounds
  const shown = await readSentRequest(site.admin, runId, 1)
  expect(withoutRandom(dried.request?.json ?? '')).toBe(withoutRandom(shown.json))
  expect(withoutRandom(dried.request?.curl ?? '')).toBe(withoutRandom(shown.curl ?? ''))
  expect(dried.offered).toEqual(round?.offered)
  expect(dried.inputTokens).toBe(round?.contextTokens)
  expectToldAsDecided(dried, state, wishes.tools ?? null)
  return { dried, state, served, runId }
}

/** Compares what the dry run says of warnings and gates with what the run recorded. */
function expectToldAsDecided(
  dried: DryRun,
  { start: begun, rounds, notes }: RunState,
  picked: readonly string[] | null,
) {
  const recorded = [...notes, ...(rounds[0]?.notes ?? [])]
  const warnings = recorded.flatMap((note) => (note.type === 'warning' ? [note.data.message] : []))
  expect(dried.warnings).toEqual(warnings)
  const refused = dried.tools.flatMap(({ name, gate, reason }) =>
    gate === null || (picked && !picked.includes(name)) ? [] : [{ name, gate, reason }],
  )
  const rejected = begun?.rejected.map(({ name, gate, reason }) => ({ name, gate, reason }))
  expect(refused).toEqual(rejected)
}

function expectServed({ dried, served }: Awaited<ReturnType<typeof expectSame>>) {
  const sent = inOneLine(dried.request?.json ?? '')
  expect(withoutRandom(sent)).toBe(withoutRandom(JSON.stringify(served?.body)))
  expect(JSON.stringify(dried)).not.toContain('sk-test')
}

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

describe('the request is the one that the run sends', () => {
  test.each(['openai', 'openai-compatible', 'anthropic', 'ollama'] as const)(
    'over %s, with a turn before it',
    async (wire) => {
      const site = await addRunSite(server.url, wire)
      const prompt = `${randomUUID()} [[call calculate {"expression":"1+1"}]] [[then]] [[say: Two.]]`
      const first = await expectSame(site, {}, prompt)
      expectServed(first)
      expect(first.state.end?.reason).toBe('completed')
      expectServed(await expectSame(site, { continues: first.runId }))
    },
  )

  test('with a pool of keys, without what only the account of an earlier answer can read', async () => {
    const site = await addRunSite(server.url, 'anthropic')
    const { runId } = await start(site, `${randomUUID()} [[reason: Hm.]] [[say: One.]]`)
    await collect(site.admin, runId)
    const single = await dry(site, 'Next. [[say: Two.]]', { continues: runId })
    const { id } = await db().connection.findFirstOrThrow({ where: usedBy(site) })
    await addKey(site.admin, { id, label: 'second', apiKey: 'sk-second-0123456789wxyz' })
    const pooled = await leavingAll(server, () =>
      dry(site, 'Next. [[say: Two.]]', { continues: runId }),
    )
    const count = server.requests.length
    const next = await start(site, 'Next. [[say: Two.]]', { continues: runId })
    await collect(site.admin, next.runId)
    const sent = inOneLine(pooled.request?.json ?? '')
    expect(withoutRandom(sent)).toBe(withoutRandom(JSON.stringify(server.requests[count]?.body)))
    expect(withoutRandom(sent)).not.toBe(withoutRandom(inOneLine(single.request?.json ?? '')))
  })

  test('in prompted mode, which teaches the tools in text', async () => {
    const site = await addRunSite(server.url)
    const where = { identifier: site.configuration }
    await db().configuration.update({ where, data: { toolMode: 'prompted' } })
    const ran = await expectSame(site, { tools: ['calculate', 'current_time'] })
    expectServed(ran)
    expect(ran.dried.request?.json).toContain('<tool_call>')
    expect(ran.dried.offered).toEqual(['calculate', 'current_time'])
  })

  test('with skills, an answer schema, a text file and overrides', async () => {
    const site = await addRunSite(server.url)
    const name = `tide-${randomUUID().slice(0, 8)}`
    const skillId = await pasteSkill(site.admin, name)
    await attachSkill(site.admin, { configurationId: await idOf(site), skillId })
    const ran = await expectSame(site, {
      files: await upload(site, 'note.txt', 'High water at noon.', null),
      outputSchema: schema,
      overrides: { systemPrompt: 'Answer in one word.', temperature: 0.25 },
    })
    expectServed(ran)
    const { json = '' } = ran.dried.request ?? {}
    for (const part of [`How to ${name}`, 'High water at noon.', 'Answer in one word.', 'city'])
      expect(json).toContain(part)
  })

  test('of a task, with the values of its variables', async () => {
    const site = await addRunSite(server.url)
    const identifier = `greet-${randomUUID().slice(0, 8)}`
    await taskVerbs.create(site.admin, {
      ...greet,
      identifier,
      prompt: 'Greet {{who}} {{tone}}. [[say: Hi.]]',
    })
    const variables = { who: 'Kim', tone: 'warm' }
    const ran = await expectSame(site, { task: identifier, variables }, '')
    expectServed(ran)
    expect(ran.dried.request?.json).toContain('Greet Kim warm.')
  })

  test('without its oldest turn, where the window is too small for it, and says so', async () => {
    const site = await addRunSite(server.url)
    await db().model.updateMany({
      where: { configurations: { some: { identifier: site.configuration } } },
      data: { contextTokens: 12_000 },
    })
    const long = `${'tide '.repeat(5_000)} [[say: Done.]]`
    const { runId } = await start(site, long, { tools: [] })
    await collect(site.admin, runId)
    const ran = await expectSame(site, { continues: runId, tools: [] }, long)
    expectServed(ran)
    expect(ran.dried.warnings).toEqual([
      expect.stringMatching(/^The oldest turn is no longer sent/),
    ])
  })
})

describe('cost', () => {
  afterEach(() => db().budget.deleteMany())

  const day = { scope: 'site', window: 'day', unit: 'micro-usd' } as const

  test('is bounded by the worst case that a budget reserves for the request', async () => {
    const site = await addRunSite(server.url)
    await budgetVerbs.create(site.admin, { ...day, amount: 50_000_000 })
    const costCap = { mode: 'enforce', limitMicroUsd: 90_000 } as const
    const ran = await expectSame(site, { costCap })
    expectServed(ran)
    const { dried, state } = ran
    const worst = state.rounds[0]?.worst
    const { prices } = state.start?.snapshot.targets[0] ?? {}
    expect(dried.cost).toEqual({
      mostInputTokens: worst?.inputTokens,
      mostOutputTokens: worst?.outputTokens,
      mostMicroUsd:
        worst && prices && worstCostMicroUsd(worst.inputTokens, worst.outputTokens, prices),
    })
    expect(dried.costCaps).toEqual([{ scope: 'run', ...costCap }])
  })

  test('a budget limits the answer of a model whose limit nobody knows, as in the run', async () => {
    const site = await addRunSite(server.url)
    await db().model.updateMany({
      where: { configurations: { some: { identifier: site.configuration } } },
      data: { maxOutputTokens: null },
    })
    const free = await expectSame(site)
    await budgetVerbs.create(site.admin, { ...day, amount: 50_000_000 })
    const limited = await expectSame(site)
    for (const ran of [free, limited]) expectServed(ran)
    const hasLimit = ({ served }: typeof free) => JSON.stringify(served?.body).includes('max_')
    expect([free, limited].map(hasLimit)).toEqual([false, true])
  })

  test('a used-up budget refuses it in the words of the run', async () => {
    const site = await addRunSite(server.url)
    await budgetVerbs.create(site.admin, { ...day, amount: 10 })
    const dried = await leavingAll(server, () => dry(site, 'Hello.'))
    const { runId } = await start(site, 'Hello.')
    const { end } = foldRun(await collect(site.admin, runId))
    expect(end?.reason).toBe('budget')
    expect(dried.refusal).toEqual({ code: 'budget', message: end?.message, fields: {} })
    expect(dried.request).toBeNull()
  })
})

test('a model that may not get a file is passed over, and the dry run says why', async () => {
  const site = await addRunSite(server.url)
  const [wire, connectionName] = ['openai-compatible', `Near ${randomUUID()}`] as const
  const modelRecordId = await addLocalModel(site.admin, {
    wire,
    connectionName,
    url: server.url,
    modelId: 'near-model',
  })
  await db().configurationFallback.create({
    data: { configurationId: await idOf(site), modelId: modelRecordId, position: 0 },
  })
  await changeConnection(site, { trustZone: 'external_global' })
  const files = await upload(site, 'plan.txt', 'Secret.', 'diagnostics')
  const { dried, served } = await expectSame(site, { files, tools: [] })
  expect(served?.body).toMatchObject({ model: 'near-model' })
  expect(dried.models).toEqual([
    expect.objectContaining({ isUsed: false, skipped: expect.stringContaining('plan.txt') }),
    { modelId: 'near-model', connection: connectionName, isUsed: true, skipped: null },
  ])
})

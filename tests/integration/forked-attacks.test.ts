import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { unusedRecordings } from '@/lib/protocol/run/recordings'
import { runningEngine } from '@/lib/runs/engine/engine'
import { type ForkFields, forkRun } from '@/lib/runs/fork/fork-run'
import { readReplay } from '@/lib/runs/replay/read-replay'
import { addLocalModel } from '@/tests/support/add-local-model'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import {
  type ApprovalSite,
  approvalSiteOfFile,
  decide,
  finish,
  untilWaiting,
} from '@/tests/support/approval-site'
import { addConfiguration, addModel, edit } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'

const site: ApprovalSite = approvalSiteOfFile()
const approve = { type: 'approve', message: '' } as const
type Wishes = Partial<z.input<typeof ForkFields>>

const call = (name: string, args: object = {}) => `[[call ${name} ${JSON.stringify(args)}]]`
const big = (kilobytes: number) => call('big_result', { kilobytes })
const write = (text: string) => call('append_line', { text })
const scripted = (...turns: string[]) =>
  [`${randomUUID()} ${turns[0]}`, ...turns.slice(1), '[[say: ok]]'].join(' [[then]] ')
const groups = call('list_groups')

async function record(prompt: string, wishes: Parameters<typeof start>[2] = {}, ctx = site.admin) {
  const { runId } = await start({ ...site, admin: ctx }, prompt, wishes)
  return { runId, state: foldRun(await collect(ctx, runId)) }
}

const begin = (runId: string, wishes: Wishes = {}, ctx = site.admin) =>
  forkRun(ctx, { runId, round: 1, ...wishes })

async function fork(runId: string, wishes: Wishes = {}, ctx = site.admin) {
  const { runId: forkId } = await begin(runId, wishes, ctx)
  return { runId: forkId, state: foldRun(await collect(ctx, forkId)) }
}

const callOf = (state: RunState, round = 1, place = 0) => state.rounds[round - 1]?.calls[place]
const idOf = (state: RunState, round = 1, place = 0) => callOf(state, round, place)?.callId ?? ''
function outcomeOf(state: RunState, round = 1, place = 0) {
  const found = callOf(state, round, place)?.state
  return found?.type === 'ended' ? found.outcome : null
}

/** Adds a configuration with a model of its own on the served address; `more` are its settings. */
async function addOwn(more: Partial<Parameters<typeof createConfiguration>[1]> = {}) {
  const { model } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
    select: { model: { select: { connection: { select: { baseUrl: true } } } } },
  })
  const url = model.connection.baseUrl?.replace(/\/v1$/, '') ?? ''
  const tag = randomUUID()
  const names = { wire: 'openai-compatible', connectionName: tag, url } as const
  const modelId = await addLocalModel(site.admin, names)
  const identifier = `own-${tag}`
  const fields = { identifier, name: tag, modelId, maxRounds: 5, ...more }
  const { id } = await createConfiguration(site.admin, fields)
  await db().configuration.update({ where: { id }, data: { afterUntrusted: 'allow' } })
  return { id, modelId }
}

/** Adds a member who may use this configuration. */
async function addMember(configurationId: string): Promise<Ctx> {
  const member = await addPerson('member')
  const members = { create: { userId: member.actor.userId } }
  const configurations = { create: { configurationId } }
  await db().group.create({ data: { name: randomUUID(), members, configurations } })
  return member
}

test('a key needs both scopes, and a limited one goes on from its own configuration with it alone', async () => {
  const elsewhere = await addOwn()
  const here = await record(scripted(groups))
  const there = await record(scripted(groups), { configuration: elsewhere.id })
  const { configurationId } = await db().run.findUniqueOrThrow({ where: { id: here.runId } })
  const post = async (key: string, runId: string, json: object = {}) =>
    (await askApi('POST', `/runs/${runId}/fork`, { key, json: { round: 1, ...json } })).status
  expect(await post(await apiKeyOf(site.admin, 'runs:write'), here.runId)).toBe(403)
  expect(await post(await apiKeyOf(site.admin, 'runs:read'), here.runId)).toBe(403)
  const key = await apiKeyOf(site.admin, 'runs:write', 'runs:read')
  const limits = { configurations: [configurationId], tools: null, toolGroups: null }
  const { id } = await db().apiKey.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  await db().apiKey.update({ where: { id }, data: { limits } })
  expect(await post(key, here.runId)).toBe(202)
  expect(await post(key, here.runId, { configuration: elsewhere.id })).toBe(403)
  expect(await post(key, there.runId, { configuration: site.configuration })).toBe(404)
})

test('a member gets no older system prompt, no further rounds, and nothing of what was withdrawn', async () => {
  const { id } = await addOwn({ systemPrompt: 'Old words.' })
  const member = await addMember(id)
  const { runId } = await record(scripted(groups), { configuration: id }, member)
  await edit(site.admin, id, { systemPrompt: 'New words.', maxRounds: 1 })
  await expect(begin(runId, {}, member)).rejects.toThrow('system prompt')
  const anew = await fork(runId, { configuration: id }, member)
  expect(anew.state.start?.snapshot).toMatchObject({ systemPrompt: 'New words.', maxRounds: 1 })
  await expect(begin(runId, {}, await addMember(id))).rejects.toThrow('This run does not exist')
  await db().configurationGroup.deleteMany({ where: { configurationId: id } })
  await expect(begin(runId, {}, member)).rejects.toThrow('The configuration does not exist')
})

test('copied results go to no provider that may not have them, also while the run waits', async () => {
  const own = await addOwn()
  const { runId } = await record(scripted(call('list_users')), { configuration: own.id })
  const far = await addConfiguration(site.admin, { modelId: await addModel(site.admin) })
  await expect(begin(runId, { configuration: far })).rejects.toThrow('internal configuration data')
  await runningEngine()?.close()
  const waiting = await begin(runId)
  const { connectionId } = await db().model.findUniqueOrThrow({ where: { id: own.modelId } })
  const data = { trustZone: 'external_global' } as const
  await db().connection.update({ where: { id: connectionId }, data })
  await edit(site.admin, own.id, { description: 'moved' })
  await site.startEngine()
  expect((await finish(site.admin, waiting.runId)).end?.reason).toBe('provider-error')
  await expect(begin(runId)).rejects.toThrow('internal configuration data')
})

test('what copied rounds read counts, as it was and edited', async () => {
  const own = await addOwn()
  const o = await record(scripted(big(1), write('after')), { configuration: own.id })
  await db().toolApproval.deleteMany({ where: { toolName: 'append_line' } })
  await db().configuration.update({ where: { id: own.id }, data: { afterUntrusted: 'refuse' } })
  await edit(site.admin, own.id, { description: 'stricter' })
  const sources = { append_line: { type: 'live' } } as const
  const mine = { type: 'result', callId: idOf(o.state), text: 'mine' } as const
  for (const change of [null, mine]) {
    const { state } = await fork(o.runId, { edit: change, sources })
    expect(outcomeOf(state, 2)).toMatchObject({ type: 'denied', gate: 'flow' })
    expect(state.start?.accepted.map(({ name }) => name)).not.toContain('append_line')
  }
  await needsNoApproval('append_line')
})

test('nobody approves after an edit of their own, in a fork of a fork either, and no approval is copied', async () => {
  const alice = await addPerson('admin')
  const bob = await addPerson('admin')
  const carol = await addPerson('admin')
  const o = await record(scripted(groups, call('list_users'), write('a'), write('b')))
  const one = await fork(o.runId, { edit: { type: 'answer', text: 'one' } }, alice)
  await site.addRule({ action: 'ask-once' })
  const two = { type: 'result', callId: idOf(one.state, 2), text: 'two' } as const
  const second = await begin(one.runId, { round: 2, edit: two }, bob)
  const [first] = await untilWaiting(bob, second.runId)
  if (!first) throw new Error('A call waits.')
  await decide(carol, first, approve)
  await finish(bob, second.runId)
  const third = await begin(second.runId, { round: 3 }, carol)
  const [row] = await untilWaiting(carol, third.runId)
  if (!row) throw new Error('A call waits again: no approval was copied.')
  expect(row.context?.edits).toHaveLength(2)
  for (const editor of [alice, bob])
    await expect(decide(editor, row, approve)).rejects.toThrow('You edited what this run')
  await decide(carol, row, approve)
  await finish(carol, third.runId)
  await site.removeRules()
})

test('the gates decide about recorded and edited calls', async () => {
  const o = await record(scripted(groups, write('gated')))
  const sources = { append_line: { type: 'live' } } as const
  const again = async (text: string | null) => {
    const change = text && ({ type: 'arguments', callId: idOf(o.state, 2), text } as const)
    const { state } = await fork(o.runId, change ? { round: 2, edit: change, sources } : {})
    return outcomeOf(state, 2)
  }
  await site.addRule({ action: 'deny' })
  expect(await again(null)).toMatchObject({ gate: 'rule' })
  expect(await again('{"text":"z"}')).toMatchObject({ gate: 'rule' })
  await site.removeRules()
  expect(await again('{"no":1}')).toMatchObject({ type: 'invalid-arguments' })
  const marked = JSON.stringify({ text: o.state.start?.canary })
  expect(await again(marked)).toMatchObject({ gate: 'canary' })
})

test.each<[string, string[], number]>([
  ['equal and cut calls', [groups + big(200), groups + groups + big(201), groups], 100_000],
  ['images', [call('draw_square', { colour: 'ff0000' }), groups], 100_000],
  ['failures', [groups + big(0) + call('nothing'), groups], 100_000],
  ['pruned rounds', [30, 31, 32].map(big), 24_000],
])('with %s, each round is gone on from as it was', async (_, turns, contextTokens) => {
  const own = await addOwn()
  await db().model.update({ where: { id: own.modelId }, data: { contextTokens } })
  await edit(site.admin, own.id, { description: 'resized' })
  const o = await record(scripted(...turns), { configuration: own.id })
  const prompt = o.state.start?.prompt ?? ''
  const bodies = () =>
    site
      .requestsOf(prompt)
      .map(({ body }) => JSON.stringify(body).replace(/"call_\d+_\d+"/g, '"id"'))
  const sizes = ({ rounds }: RunState) =>
    rounds.map(({ contextTokens: size, notes }) => [size, notes.length])
  for (const { round } of o.state.rounds.filter(({ calls }) => calls.length > 0)) {
    const before = bodies()
    const f = await fork(o.runId, { round })
    if (contextTokens === 100_000) expect(bodies()[before.length]).toBe(before[round])
    expect(sizes(f.state).slice(0, round + 1)).toEqual(sizes(o.state).slice(0, round + 1))
    expect([...unusedRecordings(f.state)]).toEqual([])
    expect((await readReplay(site.admin, f.runId)).result).toBe('same')
  }
})

test('another process uses no recording twice, and a reader begins anywhere', async () => {
  const o = await record(scripted(groups, big(1) + big(1), `[[wait 700ms]] ${big(1)}`))
  const { runId } = await begin(o.runId)
  await collect(site.admin, runId, {
    until: (event) => event.type === 'round-start' && event.data.round === 3,
  })
  await runningEngine()?.close()
  await site.startEngine()
  const state = await finish(site.admin, runId)
  expect([1, 2, 3].map((round) => outcomeOf(state, round)?.type)).toEqual(['ok', 'ok', 'ok'])
  expect([...unusedRecordings(state)]).toEqual([])
  for (const after of [0, 1, 2])
    expect((await collect(site.admin, runId, { after }))[0]).toMatchObject({ seq: after + 1 })
})

test('a fork that waits for a place keeps its whole time', async () => {
  const { runId } = await record(scripted(groups))
  await runningEngine()?.close()
  const waiting = await begin(runId)
  await db()
    .$executeRaw`UPDATE run_events SET at = at - interval '3 hours' WHERE "runId" = ${waiting.runId}::uuid`
  await site.startEngine()
  expect((await finish(site.admin, waiting.runId)).end?.reason).toBe('completed')
})

test('the last edit is shown, and a missing recording is none for the next fork', async () => {
  const o = await record(scripted(groups))
  const one = await fork(o.runId, { edit: { type: 'answer', text: 'one' } })
  const bob = await addPerson('admin')
  const two = await fork(one.runId, { edit: { type: 'answer', text: 'two' } }, bob)
  expect(two.state.rounds[0]).toMatchObject({
    text: 'two',
    editedBy: [site.admin.actor.email, bob.actor.email],
  })
  const prompt = scripted(groups, call('list_users'))
  const missed = await fork(o.runId, { edit: { type: 'prompt', text: prompt } })
  const next = await fork(missed.runId)
  expect(outcomeOf(next.state, 2)).toEqual(outcomeOf(missed.state, 2))
  expect([...unusedRecordings(next.state)]).toEqual([])
})

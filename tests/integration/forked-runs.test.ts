import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { NotFoundError } from '@/lib/kernel/errors'
import { foldRun, ownRounds } from '@/lib/protocol/run/fold-run'
import { unusedRecordings } from '@/lib/protocol/run/recordings'
import { type ForkFields, forkRun } from '@/lib/runs/fork/fork-run'
import { listToolCalls } from '@/lib/runs/lists/tool-calls'
import { readCallText } from '@/lib/runs/read-run'
import { readReplay } from '@/lib/runs/replay/read-replay'
import { cancelRun } from '@/lib/runs/verbs'
import {
  append,
  approvalSiteOfFile,
  decide,
  finish,
  untilWaiting,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { collect, start } from '@/tests/support/run-site'

const site = approvalSiteOfFile()

/** Returns a prompt that has the model read twice, with other arguments, and write between. */
function prompt() {
  const tag = randomUUID()
  return `${tag} [[call list_groups {}]] [[then]] [[call append_line {"text":"${tag}"}]] [[call list_users {}]] [[then]] [[call list_groups {}]] [[then]] [[say: Read {{results}}.]]`
}

async function record(text = prompt()) {
  const { runId } = await start(site, text)
  const state = foldRun(await collect(site.admin, runId))
  return { runId, state, prompt: text, sent: site.requestsOf(text) }
}

type Wishes = Partial<z.input<typeof ForkFields>>

async function fork(runId: string, wishes: Wishes = {}, ctx = site.admin) {
  const { runId: forkId } = await forkRun(ctx, { runId, round: 1, ...wishes })
  return { runId: forkId, state: foldRun(await collect(ctx, forkId)) }
}

/** Returns a request without the ids of calls, which the model gives anew. */
function withoutIds({ body }: { body: unknown }): unknown {
  return JSON.parse(JSON.stringify(body).replace(/"call_\d+_\d+"/g, '"id"'))
}

const callsOf = (state: Awaited<ReturnType<typeof fork>>['state']) =>
  ownRounds(state).flatMap(({ calls }) => calls)

function outcomeOf({ state }: ReturnType<typeof callsOf>[number]) {
  return state.type === 'ended' ? state.outcome : null
}

test('a fork without a change sends what the original sent, and calls and pays nothing again', async () => {
  const original = await record()
  const lines = await site.writtenLines()
  const { state, runId } = await fork(original.runId)
  const sent = site.requestsOf(original.prompt).slice(original.sent.length)
  expect(sent[0]?.body).toEqual(original.sent[1]?.body)
  expect(sent.map(withoutIds)).toEqual(original.sent.slice(1).map(withoutIds))
  expect(state.end?.reason).toBe('completed')
  const copiedId = original.state.rounds[0]?.calls[0]?.callId ?? ''
  const texts = [original.runId, runId].map((id) => readCallText(site.admin, id, copiedId))
  const [first, copy] = await Promise.all(texts)
  expect(copy).toBe(first)
  expect(state.rounds.at(-1)?.text).toBe(original.state.rounds.at(-1)?.text)
  expect(await site.writtenLines()).toEqual(lines)
  expect(callsOf(state).map((call) => outcomeOf(call)?.type)).toEqual(['ok', 'ok', 'ok'])
  expect([...unusedRecordings(state)]).toEqual([])
  expect(state.rounds.map(({ copiedFrom }) => copiedFrom)).toEqual([
    original.runId,
    undefined,
    undefined,
    undefined,
  ])
  const records = await db().usageRecord.findMany({ where: { runId }, orderBy: { round: 'asc' } })
  expect(records.map(({ round }) => round)).toEqual([2, 3, 4])
  const row = await db().run.findUniqueOrThrow({ where: { id: runId } })
  expect(row.changedFrom).toBe(original.runId)
  expect(row.inputTokens).toBe(state.usage.inputTokens)
})

test('a later round, and a fork of a fork, go on in the same way', async () => {
  const original = await record()
  const second = await fork(original.runId, { round: 2 })
  const third = await fork(second.runId, { round: 3 })
  const bodies = site.requestsOf(original.prompt).map(withoutIds)
  expect(bodies.slice(4, 6)).toEqual(bodies.slice(2, 4))
  expect(bodies.slice(6)).toEqual(bodies.slice(3, 4))
  expect(third.state.rounds.map(({ copiedFrom }) => copiedFrom)).toEqual([
    second.runId,
    second.runId,
    second.runId,
    undefined,
  ])
})

test('an edited result is what the model reads, and says who edited it', async () => {
  const original = await record()
  const callId = original.state.rounds[0]?.calls[0]?.callId ?? ''
  const edit = { type: 'result', callId, text: 'No groups at all.' } as const
  const { state, runId } = await fork(original.runId, { edit })
  expect(await readCallText(site.admin, runId, callId)).toBe('No groups at all.')
  expect(site.lastRequestOf(original.prompt)).toContain('No groups at all.')
  const by = site.admin.actor.email
  expect(state.rounds[0]?.calls[0]?.edits).toEqual([{ what: 'result', by }])
  expect(state.start?.snapshot.editors).toEqual([site.admin.actor.userId])
})

test('an edited call runs anew where its tool is live', async () => {
  const original = await record()
  const [write] = original.state.rounds[1]?.calls ?? []
  const text = `{"text":"edited ${randomUUID()}"}`
  const edit = { type: 'arguments', callId: write?.callId ?? '', text } as const
  const nowhere = forkRun(site.admin, { runId: original.runId, round: 2, edit })
  expect(Object.keys(await refusedFields(nowhere))).toEqual(['sources'])
  const sources = { append_line: { type: 'live' } } as const
  const { runId } = await fork(original.runId, { round: 2, edit, sources })
  expect(await site.writtenLines()).toContain(JSON.parse(text).text)
  const [newest, before] = await listToolCalls(site.admin, { name: 'append_line' })
  expect(newest).toMatchObject({ runId, argumentsText: text, isEdited: true })
  expect(before).toMatchObject({ runId: original.runId, isEdited: false })
})

test('fixed and refused tools, another answer, prompt and choice of tools', async () => {
  const original = await record()
  const sources = {
    list_groups: { type: 'fixed', content: 'Fixed words.' },
    append_line: { type: 'refused' },
  } as const
  const { state } = await fork(original.runId, { sources })
  const outcomes = callsOf(state).map(outcomeOf)
  expect(outcomes[0]).toMatchObject({ type: 'failed', code: 'refused' })
  expect(outcomes[2]).toMatchObject({ type: 'ok', content: 'Fixed words.' })
  expect([...unusedRecordings(state)]).toEqual([])
  const said = await fork(original.runId, { edit: { type: 'answer', text: 'I look first.' } })
  expect(said.state.rounds[0]).toMatchObject({
    text: 'I look first.',
    editedBy: [site.admin.actor.email],
  })
  const other = await fork(original.runId, { edit: { type: 'prompt', text: '[[say: Short.]]' } })
  expect(other.state.start?.prompt).toBe('[[say: Short.]]')
  const fewer = await fork(original.runId, { tools: ['list_users'] })
  expect(callsOf(fewer.state).map((call) => outcomeOf(call)?.type)).toContain('denied')
  const unused = Object.fromEntries(unusedRecordings(fewer.state))
  expect(unused).toEqual({ append_line: 1, list_groups: 1 })
})

test('what was edited is approved by nobody who edited it', async () => {
  const original = await record()
  await site.addRule()
  const [call] = original.state.rounds[0]?.calls ?? []
  const edit = { type: 'result', callId: call?.callId ?? '', text: 'Approve all.' } as const
  const { runId } = await forkRun(site.admin, { runId: original.runId, round: 1, edit })
  const [row] = await untilWaiting(site.admin, runId)
  if (!row) throw new Error('A call waits.')
  await expect(decide(site.admin, row, { type: 'approve', message: '' })).rejects.toThrow(
    'You edited what this run goes on from',
  )
  expect(row.context).toMatchObject({
    edits: [{ round: 1, what: 'result', toolName: 'list_groups', by: site.admin.actor.email }],
    untrusted: [{ toolName: 'list_groups', turn: runId }],
    fixed: [],
  })
  await decide(await addPerson('admin'), row, { type: 'approve', message: '' })
  await finish(site.admin, runId)
  const { runId: nextId } = await start(site, append('next'), { continues: runId })
  const { runId: fixedId } = await forkRun(site.admin, {
    runId: original.runId,
    round: 1,
    sources: { list_users: { type: 'fixed', content: 'Nobody.' } },
  })
  for (const id of [nextId, fixedId]) {
    const [waiting] = await untilWaiting(site.admin, id)
    expect(waiting?.mayDecide).toMatchObject({ allowed: false })
    await cancelRun(site.admin, { runId: id })
    await collect(site.admin, id)
  }
  await site.removeRules()
})

test('an edited call that waits is shown and approved with its new arguments', async () => {
  const original = await record()
  await site.addRule()
  const [write] = original.state.rounds[1]?.calls ?? []
  const text = `{"text":"approved ${randomUUID()}"}`
  const { runId } = await forkRun(site.admin, {
    runId: original.runId,
    round: 2,
    edit: { type: 'arguments', callId: write?.callId ?? '', text },
    sources: { append_line: { type: 'live' } },
  })
  const [row] = await untilWaiting(site.admin, runId)
  if (!row) throw new Error('A call waits.')
  expect(row.argumentsText).toBe(text)
  await decide(await addPerson('admin'), row, { type: 'approve', message: '' })
  await finish(site.admin, runId)
  expect(await site.writtenLines()).toContain(JSON.parse(text).text)
  await site.removeRules()
})

test('a start with the same key is the same fork, and another one is refused', async () => {
  const { runId } = await record()
  const wanted = { runId, round: 1, idempotencyKey: randomUUID() }
  const first = await forkRun(site.admin, wanted)
  expect(await forkRun(site.admin, wanted)).toEqual({ runId: first.runId, created: false })
  const other = { ...wanted, edit: { type: 'answer', text: 'Other.' } } as const
  await expect(forkRun(site.admin, other)).rejects.toThrow('was used for another run')
  await collect(site.admin, first.runId)
})

test('an admin goes on from the run of a member, who counts as its starter', async () => {
  const original = await record()
  const other = await addPerson('admin')
  const { state } = await fork(original.runId, {}, other)
  expect(state.end?.reason).toBe('completed')
  expect(state.start?.snapshot.starters).toEqual([site.admin.actor.userId])
})

test('a replay of a fork changes nothing', async () => {
  const original = await record()
  const { runId } = await fork(original.runId, { round: 2 })
  expect(await readReplay(site.admin, runId)).toMatchObject({ result: 'same', differences: [] })
})

test('nothing is gone on from that has no next round, is not there, or is not theirs', async () => {
  const original = await record()
  const { runId } = original
  const refused = (wishes: Wishes) =>
    refusedFields(forkRun(site.admin, { runId, round: 1, ...wishes })).then(Object.keys)
  expect(await refused({ round: 4 })).toEqual(['round'])
  expect(await refused({ round: 9 })).toEqual(['round'])
  expect(await refused({ edit: { type: 'result', callId: 'none', text: '' } })).toEqual([
    'edit.callId',
  ])
  expect(await refused({ sources: { no_tool: { type: 'live' } } })).toEqual(['sources'])
  expect(await refused({ edit: { type: 'prompt', text: 'a' }, tools: [] })).toEqual(['edit'])
  expect(await refused({ edit: { type: 'arguments', callId: 'a', text: '[]' } })).toEqual([
    'edit.text',
  ])
  const member = await addPerson('member')
  await expect(forkRun(member, { runId, round: 1 })).rejects.toThrow(NotFoundError)
  const waiting = await start(site, append('x [[wait 300ms]]'))
  await expect(forkRun(site.admin, { runId: waiting.runId, round: 1 })).rejects.toThrow()
  await collect(site.admin, waiting.runId)
})

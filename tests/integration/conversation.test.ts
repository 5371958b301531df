import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { readApprovalContexts } from '@/lib/runs/approvals/approval-context'
import {
  archiveConversation,
  deleteConversation,
  listConversations,
  renameConversation,
  restoreConversation,
} from '@/lib/runs/conversations/conversations'
import { openTurnMemory, readTurns } from '@/lib/runs/conversations/earlier-turns'
import type { Engine } from '@/lib/runs/engine/engine'
import { readRunRecord } from '@/lib/runs/read-run'
import { readSentRequest } from '@/lib/runs/read-sent-request'
import { db } from '@/tests/support/fixture-db'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

const seen: ServedRequest[] = []
/** First answers of the model. */
const calls: ScriptedTurn[] = []
let server: Awaited<ReturnType<typeof startModelServer>>
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({
    script: (request) => {
      seen.push(request)
      return calls.shift() ?? { text: `Answer ${seen.length}.` }
    },
  })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

async function turn(prompt: string, continues: string | null = null) {
  const { runId } = await start(site, prompt, { continues })
  return { runId, state: foldRun(await collect(site.admin, runId)) }
}

/** Returns the messages of the last request that the model server got. */
function lastMessages(): { role: string }[] {
  const body: unknown = JSON.parse(JSON.stringify(seen.at(-1)))
  const found = findMessages(body)
  if (!found) throw new Error('The request has no messages.')
  return found
}

function findMessages(value: unknown): { role: string }[] | null {
  if (typeof value !== 'object' || value === null) return null
  if ('messages' in value && Array.isArray(value.messages)) return value.messages
  for (const part of Object.values(value)) {
    const found = findMessages(part)
    if (found) return found
  }
  return null
}

test('C1: a turn has what was said before, in this process and after a restart, and the trace rebuilds its request', async () => {
  calls.push({ calls: [{ name: 'get_runtime_info', arguments: {} }] })
  const first = await turn('What runs here?')
  expect(first.state.rounds).toHaveLength(2)
  expect(first.state.end?.reason).toBe('completed')
  const before = lastMessages()
  const second = await turn('And since when?', first.runId)
  expect(second.state.end?.reason).toBe('completed')
  const after = lastMessages()
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.slice(before.length).map(({ role }) => role)).toEqual(['assistant', 'user'])
  const third = await turn('Thanks.', second.runId)
  expect(lastMessages().slice(0, after.length)).toEqual(after)

  const kept = await readTurns(db(), engine.turns, third.runId)
  const read = await readTurns(db(), openTurnMemory(), third.runId)
  expect(read.map(({ runId }) => runId)).toEqual([first.runId, second.runId, third.runId])
  expect(read.map(({ state }) => state.rounds)).toEqual(kept.map(({ state }) => state.rounds))

  const sent = await readSentRequest(site.admin, third.runId, 1)
  expect(findMessages(JSON.parse(sent.json))).toEqual(lastMessages())

  const { continues, conversationId } = await readRunRecord(site.admin, third.runId)
  expect({ continues, conversationId }).toEqual({
    continues: second.runId,
    conversationId: first.runId,
  })
  expect(await db().conversation.findUnique({ where: { id: first.runId } })).toMatchObject({
    userId: site.admin.actor.userId,
    archivedAt: null,
  })
  const audited = { action: 'run.start', objectId: third.runId }
  expect(await db().auditEntry.findFirst({ where: audited })).toMatchObject({
    after: { continues: second.runId },
  })
})

test('a turn that is not in memory is read alone', async () => {
  const first = await turn('One.')
  const second = await turn('Two.', first.runId)
  const memory = openTurnMemory()
  const [kept] = await readTurns(db(), memory, first.runId)
  const read = await readTurns(db(), memory, second.runId)
  expect(read.map(({ runId }) => runId)).toEqual([first.runId, second.runId])
  expect(read[0]?.state).toBe(kept?.state)
  expect(memory.find(second.runId)?.state).toBe(read[1]?.state)
})

test('a run of somebody else is continued like none, also by an admin, and one that goes on not yet', async () => {
  const { runId } = await turn('Mine.')
  const other = { ...site, admin: await addPerson('admin') }
  const wordsOf = (continues: string) => start(other, 'Yours.', { continues }).catch(String)
  const words = await wordsOf(runId)
  expect(words).toContain('The run to continue does not exist')
  expect(await wordsOf(randomUUID())).toBe(words)
  calls.push({ text: 'Slowly, word by word.', beforeMs: 300, chunkDelayMs: 50 })
  const slow = await start(site, 'Slowly.')
  await expect(turn('More.', slow.runId)).rejects.toThrow('has not ended')
  await collect(site.admin, slow.runId)
})

test('the same idempotency key is another request when it continues another run', async () => {
  const { runId } = await turn('One.')
  const idempotencyKey = randomUUID()
  const first = await start(site, 'Two.', { continues: runId, idempotencyKey })
  const again = await start(site, 'Two.', { continues: runId, idempotencyKey })
  expect(again).toEqual({ runId: first.runId, created: false })
  await expect(start(site, 'Two.', { idempotencyKey })).rejects.toThrow('idempotency key')
  await collect(site.admin, first.runId)
})

test('conversations are found by the prompts of their turns, named, put away and deleted by their person alone', async () => {
  const first = await turn('Where is the lighthouse?')
  const second = await turn('How tall is it, zebrawood?', first.runId)
  const id = first.runId
  const listed = async (ctx = site.admin, filter = {}) =>
    (await listConversations(ctx, { search: 'zebrawood', ...filter })).conversations
  const [found] = await listed()
  expect(found).toMatchObject({
    id,
    title: 'Where is the lighthouse?',
    turns: 2,
    newest: second.runId,
    archived: false,
    inputTokens: first.state.usage.inputTokens + second.state.usage.inputTokens,
    costMicroUsd: Number(first.state.costMicroUsd) + Number(second.state.costMicroUsd),
  })
  const other = await addPerson('admin')
  const member = await addPerson('member')
  expect(await listed(other)).toHaveLength(1)
  expect(await listed(member)).toEqual([])
  for (const ctx of [other, member]) {
    await expect(renameConversation(ctx, { id, title: 'Mine' })).rejects.toThrow('does not exist')
    await expect(deleteConversation(ctx, { id })).rejects.toThrow('does not exist')
  }
  await renameConversation(site.admin, { id, title: 'Lighthouses' })
  await archiveConversation(site.admin, { id, archived: true })
  expect(await listed()).toEqual([])
  expect(await listed(site.admin, { archived: 'yes' })).toMatchObject([{ title: 'Lighthouses' }])
  await deleteConversation(site.admin, { id })
  expect(await listed(site.admin, { archived: 'yes' })).toEqual([])
  expect(await readRunRecord(site.admin, second.runId)).toMatchObject({ conversationId: id })
  await restoreConversation(site.admin, { id })
  await deleteConversation(site.admin, { id })
  // A further turn brings it back, with its name.
  await turn('And how old, zebrawood?', second.runId)
  expect(await listed()).toMatchObject([{ title: 'Lighthouses', turns: 3, archived: false }])
  const actions = await db().auditEntry.findMany({ where: { objectType: 'conversation' } })
  expect(actions.map(({ action }) => action).sort()).toEqual([
    'conversation.archive',
    'conversation.delete',
    'conversation.delete',
    'conversation.rename',
    'conversation.restore',
  ])
})

test('a turn begins with what the turns before cost, and not where an enforced cap is reached', async () => {
  const first = await turn('One.')
  const second = await turn('Two.', first.runId)
  const costOf = ({ state }: typeof first) => Number(state.costMicroUsd)
  expect(costOf(first)).toBeGreaterThan(0)
  expect(first.state.start).not.toHaveProperty('costBefore')
  const third = await turn('Three.', second.runId)
  const microUsd = costOf(first) + costOf(second)
  expect(third.state.start?.costBefore).toEqual({ microUsd, bound: 'exact' })
  const limited = (limitMicroUsd: number) =>
    start(site, 'Four.', {
      continues: third.runId,
      costCap: { mode: 'enforce', limitMicroUsd },
    })
  const spent = microUsd + costOf(third)
  await expect(limited(spent)).rejects.toThrow('Start a new conversation, or raise the cap.')
  const { runId } = await limited(spent + 1)
  expect(foldRun(await collect(site.admin, runId)).end?.reason).toBe('completed')
})

test('an approver is told which untrusted texts an earlier turn has read', async () => {
  const first = await turn('Read.')
  const second = await turn('Write.', first.runId)
  const { userId } = site.admin.actor
  const call = { toolName: 'gone_tool', userId, outcome: 'ok', durationMs: 1 }
  await db().callRecord.create({ data: { ...call, runId: first.runId, callId: 'read/1' } })
  const contextOf = await readApprovalContexts(db(), [first.runId, second.runId])
  const untrusted = [{ callId: 'read/1', toolName: 'gone_tool', turn: first.runId, server: null }]
  expect(contextOf(second.runId, 'save')).toMatchObject({ calls: [], callCount: 0, untrusted })
  expect(contextOf(first.runId, 'save')).toMatchObject({ callCount: 1, untrusted })
})

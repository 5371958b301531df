import { afterEach, beforeAll, expect, test } from 'vitest'
import type { TriedRule } from '@/lib/domains/approvals/shape'
import { addGroupMember, groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import { deleteUser } from '@/lib/domains/users/verbs'
import { approvalRuleVerbs, createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { tryRule } from '@/lib/runs/replay/try-rule'
import { append, approvalSiteOfFile, finish, rulesOf } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { start } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

const site = approvalSiteOfFile()
let other: Ctx

beforeAll(async () => {
  other = await addPerson('admin')
})

afterEach(() => site.removeRules())

/** Runs a call that appends a line for this person. Returns how it ended. */
async function outcomeOf(admin: Ctx, line: string) {
  const { runId } = await start({ ...site, admin }, append(line))
  const [call] = (await finish(admin, runId)).rounds.flatMap(({ calls }) => calls)
  return call?.state.type === 'ended' ? call.state.outcome : call?.state
}

const denied = { type: 'denied', gate: 'rule' }
const ok = { type: 'ok' }

test('a rule about a person refuses their calls and nobody else’s, in runs and where decisions are explained', async () => {
  const { userId } = other.actor
  await site.addRule({ name: 'Not this one', action: 'deny', userId })
  expect(await outcomeOf(other, 'theirs')).toMatchObject(denied)
  expect(await outcomeOf(site.admin, 'mine')).toMatchObject(ok)
  expect((await site.explained(userId))?.verdict).toMatchObject({ allowed: false, gate: 'rule' })
  expect((await site.explained(site.admin.actor.userId))?.verdict).toEqual({ allowed: true })
})

test('a rule about a group of people follows who is in it, and the group stays while the rule names it', async () => {
  const { id: groupId } = await groupVerbs.create(site.admin, { name: 'Interns' })
  const membership = { groupId, userId: other.actor.userId }
  await site.addRule({ name: 'No lines by interns', action: 'deny', groupId })
  expect(await outcomeOf(other, 'before')).toMatchObject(ok)
  await addGroupMember(site.admin, membership)
  expect(await outcomeOf(other, 'inside')).toMatchObject(denied)
  const tried: TriedRule = { name: 'Tried', groupId, action: 'observe', conditions: [] }
  const [stored] = await rulesOf(site.admin)
  const trial = await tryRule(site.admin, { rule: tried, id: stored?.id })
  const people = await db().run.findMany({
    where: { id: { in: trial.runs.map(({ runId }) => runId) } },
    select: { userId: true },
    distinct: ['userId'],
  })
  expect(people).toEqual([{ userId: other.actor.userId }])
  await expect(groupVerbs.remove(site.admin, { id: groupId })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('The rule "No lines by interns" names this group.'),
  })
  expect(await rulesOf(site.admin)).toMatchObject([{ personGroup: { name: 'Interns' } }])
  await removeGroupMember(site.admin, membership)
  expect(await outcomeOf(other, 'after')).toMatchObject(ok)
  await site.removeRules()
  await groupVerbs.remove(site.admin, { id: groupId })
})

test('a rule about an API key is about the runs that this key starts', async () => {
  const key = await createApiKey(site.admin, { name: 'CI', scopes: ['runs:write'] })
  const another = await createApiKey(site.admin, { name: 'Cron', scopes: ['runs:write'] })
  const add = ['approval', 'rule', 'add', '--name', 'Not by CI', '--tool', 'append_line']
  const as = ['--as', site.admin.actor.email, '--json']
  const request = [...add, '--action', 'deny', '--api-key', key.prefix, ...as]
  expect(await toolgate(request)).toMatchObject({ code: 0, stderr: '' })
  const by = ({ id: apiKeyId }: { id: string }): Ctx => ({ ...site.admin, via: 'api', apiKeyId })
  expect(await outcomeOf(by(key), 'by CI')).toMatchObject(denied)
  expect(await outcomeOf(by(another), 'by Cron')).toMatchObject(ok)
  expect(await outcomeOf(site.admin, 'by hand')).toMatchObject(ok)
  expect(await rulesOf(site.admin)).toMatchObject([{ apiKey: { name: 'CI', prefix: key.prefix } }])
})

test('a rule that names a deleted object is marked, and matches nobody else', async () => {
  const gone = await addPerson('member')
  await site.addRule({ name: 'Gone', action: 'deny', userId: gone.actor.userId })
  await deleteUser(site.admin, { userId: gone.actor.userId })
  const [rule] = await rulesOf(site.admin)
  expect(rule).toMatchObject({ missing: ['person'], person: { email: expect.any(String) } })
  expect(await outcomeOf(site.admin, 'still')).toMatchObject(ok)
  const again = { name: 'Again', action: 'deny' as const, userId: gone.actor.userId }
  await expect(approvalRuleVerbs.create(site.admin, again)).rejects.toMatchObject({
    fields: { userId: 'This person does not exist. Pick another.' },
  })
})

test('a rule about an MCP server needs one of this name, or says that there is none yet', async () => {
  const rule = { name: 'Files', serverName: 'files' }
  await expect(approvalRuleVerbs.create(site.admin, rule)).rejects.toMatchObject({
    fields: { serverName: 'There is no MCP server "files".' },
  })
  await approvalRuleVerbs.create(site.admin, { ...rule, action: 'deny', notYet: true })
  expect(await rulesOf(site.admin)).toMatchObject([{ serverName: 'files', missing: ['server'] }])
  expect(await outcomeOf(site.admin, 'no server')).toMatchObject(ok)
})

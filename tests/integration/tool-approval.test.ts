import { beforeEach, expect, test, vi } from 'vitest'
import { UnauthenticatedError } from '@/lib/kernel/errors'
import { tryRule } from '@/lib/runs/replay/try-rule'
import { setApproval, showTool } from '@/lib/toolset/tools/tool-verbs'
import { append, approvalSiteOfFile, decide, finish, startOne } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { start } from '@/tests/support/run-site'

const site = approvalSiteOfFile()

beforeEach(async () => {
  await db().toolApproval.deleteMany()
  await db().auditEntry.deleteMany()
})

const name = 'append_line'

const explained = async () => (await site.explained())?.approval

test('a call of a tool that writes waits where no rule asks, and what explains says so', async () => {
  expect(await explained()).toMatchObject({
    always: true,
    sentences: [{ words: expect.stringContaining('because it writes'), cause: { type: 'tool' } }],
  })
  const row = await startOne(site, append('by itself'))
  expect(row).toMatchObject({ ruleName: 'Calls of this tool wait for approval' })
  expect(await db().approval.findUnique({ where: { id: row.approvalId } })).toMatchObject({
    ruleId: null,
  })
  expect(await site.writtenLines()).not.toContain('by itself')
  await decide(site.admin, row, { type: 'approve', message: '' })
  await finish(site.admin, row.runId)
  expect(await site.writtenLines()).toContain('by itself')
})

test('an approval of a rule that asks once does not let the next call of it start', async () => {
  await site.addRule({ action: 'ask-once' })
  const prompt = `[[call append_line {"text":"first"}]] [[then]] ${append('second')}`
  const row = await startOne(site, prompt)
  expect(row).toMatchObject({ once: false })
  await decide(site.admin, row, { type: 'approve', message: '' })
  await expect
    .poll(() => db().approval.count({ where: { runId: row.runId, status: 'pending' } }))
    .toBe(1)
  const [second] = await db().approval.findMany({
    where: { runId: row.runId, status: 'pending' },
  })
  if (!second) throw new Error('The second call does not wait.')
  const { id: approvalId, argumentsHash } = second
  await decide(site.admin, { ...row, approvalId, argumentsHash }, { type: 'deny', message: '' })
  await finish(site.admin, row.runId)
  await site.removeRules()
  expect(await site.writtenLines()).not.toContain('second')
})

test('an admin says with a reason that calls need no approval, and back; both are audited', async () => {
  await expect(setApproval(site.admin, { name, asks: false })).rejects.toThrow('Say why')
  await setApproval(site.admin, { name, asks: false, reason: 'Only notes' })
  expect(await explained()).toBeNull()
  expect(await showTool(site.admin, { name })).toMatchObject({
    asksApproval: false,
    approvalSetting: { reason: 'Only notes', changedByLabel: site.admin.actor.email },
  })
  const { runId } = await start(site, append('unasked'))
  await finish(site.admin, runId)
  expect(await site.writtenLines()).toContain('unasked')
  await setApproval(site.admin, { name, asks: true })
  await setApproval(site.admin, { name, asks: true })
  const where = { objectId: name }
  const audit = await db().auditEntry.findMany({ where, orderBy: { at: 'asc' } })
  expect(
    audit.map(({ action, objectId, before, after }) => ({ action, objectId, before, after })),
  ).toEqual([
    {
      action: 'tool.set-approval',
      objectId: name,
      before: { asks: true },
      after: { asks: false, reason: 'Only notes' },
    },
    {
      action: 'tool.set-approval',
      objectId: name,
      before: { asks: false, reason: 'Only notes' },
      after: { asks: true, reason: '' },
    },
  ])
})

test('only ending that a tool waits needs a fresh proof, and members may do neither', async () => {
  const requireProof = vi.fn(() => {
    throw new UnauthenticatedError('Confirm who you are.')
  })
  const unproven = { ...site.admin, requireProof }
  const open = setApproval(unproven, { name, asks: false, reason: 'Only notes' })
  await expect(open).rejects.toThrow('Confirm')
  expect(await db().toolApproval.count()).toBe(0)
  await setApproval(unproven, { name: 'list_users', asks: true })
  await setApproval(unproven, { name: 'list_users', asks: false })
  // The setting equals the default, so it is not kept: the tool has to wait when it comes to write.
  expect(await db().toolApproval.count()).toBe(0)
  const member = await addPerson('member')
  await expect(setApproval(member, { name, asks: true })).rejects.toThrow('admin')
})

test('trying a rule counts the runs that it changes, not those whose calls wait by themselves', async () => {
  const rule = {
    name: 'Elsewhere',
    toolName: name,
    toolGroup: null,
    configurationId: null,
    action: 'ask' as const,
    conditions: [{ path: '$.text', operator: 'equals' as const, value: 'nowhere' }],
  }
  const { replayed, changed } = await tryRule(site.admin, { rule })
  expect(replayed).toBeGreaterThan(0)
  expect(changed).toBe(0)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { deleteCheck } from '@/lib/domains/checks/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { deleteUser, updateUser } from '@/lib/domains/users/verbs'
import { limitApiKey, updateCheck } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { advanceCheckRun, advanceCheckRuns } from '@/lib/runs/checks/advance-check-run'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { runCheck, stopCheckRun } from '@/lib/runs/checks/start-check'
import { revokeKey } from '@/lib/runs/verbs'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { decide, untilWaiting } from '@/tests/support/approval-site'
import {
  addKey,
  addUnbegun,
  advanceUnbegun,
  call,
  checkSiteOfFile,
  engine,
  scripted,
  untilEnded,
  write,
} from '@/tests/support/check-site'
import { db } from '@/tests/support/fixture-db'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addPerson } from '@/tests/support/people'
import { waitingForRows } from '@/tests/support/waiting-for-rows'

const { addMember, configurationId, run, save, site } = checkSiteOfFile()

test('a prompt that is too long without its secrets is no check', async () => {
  const secret = ' password=hunter2 '
  const script = `${randomUUID()} [[say: ok]]`
  const prompt = `${script}${'x '.repeat(100_000).slice(0, 200_000 - script.length - secret.length)}${secret}`
  await expect(save(prompt)).rejects.toMatchObject({
    fields: { runId: 'The prompt is too long without its secrets.' },
  })
})

test('a check that cannot begin keeps no other check from running', async () => {
  const check = await save(`${randomUUID()} [[say: ok]]`)
  const other = await save(`${randomUUID()} [[say: ok]]`)
  const first = await addUnbegun(site.admin, check.id, { isOpen: true })
  const later = await addUnbegun(site.admin, other.id, { isOpen: true })
  await db().check.update({ where: { id: check.id }, data: { prompt: 'x'.repeat(200_001) } })
  await advanceCheckRuns(engine())
  const read = async (id: string) => (await readCheckRun(site.admin, { id })).verdict
  const both = async () => [await read(first), await read(later)]
  await expect.poll(both, { timeout: 6_000 }).toEqual(['not-run', 'passed'])
})

test('a stop that comes while a try begins stops that try, too', async () => {
  const check = await save(scripted(write(randomUUID())))
  await site.addRule()
  const checkRunId = await addUnbegun(site.admin, check.id, { tries: 3, isOpen: true })
  const pending: Promise<unknown>[] = []
  try {
    await db().$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT 1 AS locked FROM check_runs WHERE id = ${checkRunId}::uuid FOR NO KEY UPDATE`
        pending.push(advanceCheckRun(engine(), checkRunId))
        await expect.poll(waitingForRows).toBeGreaterThanOrEqual(1)
        const before = await waitingForRows()
        pending.push(stopCheckRun(site.admin, { id: checkRunId }))
        await expect.poll(waitingForRows).toBeGreaterThan(before)
      },
      { timeout: 10_000 },
    )
    await Promise.allSettled(pending)
    const ended = async () => (await readCheckRun(site.admin, { id: checkRunId })).endedAt
    await expect.poll(ended, { timeout: 4_000 }).not.toBeNull()
  } finally {
    await Promise.allSettled(pending)
    await site.removeRules()
  }
})

test('a check is not deleted while it runs', async () => {
  const check = await save(scripted(write(randomUUID())))
  await site.addRule()
  const { checkRunId } = await runCheck(site.admin, { id: check.id })
  try {
    const remove = deleteCheck(site.admin, { id: check.id })
    await expect(remove).rejects.toMatchObject({
      message: expect.stringContaining('has not ended'),
    })
    await stopCheckRun(site.admin, { id: checkRunId })
    await untilEnded(site.admin, checkRunId)
    await deleteCheck(site.admin, { id: check.id })
  } finally {
    await site.removeRules()
  }
})

test('processes that begin the same tries at once begin each once', async () => {
  const check = await save(`${randomUUID()} [[wait 100ms]] [[say: ok]]`)
  const checkRunId = await addUnbegun(site.admin, check.id, { tries: 5, isOpen: true })
  await Promise.all(Array.from({ length: 6 }, () => advanceCheckRun(engine(), checkRunId)))
  const done = await untilEnded(site.admin, checkRunId)
  expect(done).toMatchObject({ passed: 5 })
  expect(await db().run.count({ where: { prompt: check.prompt, source: 'check' } })).toBe(5)
})

test('a run that was deleted before it was judged has not run', async () => {
  const member = await addMember()
  const check = await save(`${randomUUID()} [[wait 600ms]] [[say: ok]]`, {}, member)
  const checkRunId = await addUnbegun(member, check.id, { tries: 2, isOpen: true })
  await advanceCheckRun(engine(), checkRunId)
  const { results } = await readCheckRun(member, { id: checkRunId })
  const runId = results[0]?.runId ?? ''
  await db()
    .$executeRaw`UPDATE check_results SET "runId" = ${randomUUID()}::uuid WHERE "runId" = ${runId}::uuid`
  const done = await untilEnded(member, checkRunId)
  expect(done.results.map(({ verdict }) => verdict).toSorted()).toEqual(['not-run', 'passed'])
})

test('a person who loses a right in the middle begins no further try', async () => {
  const member = await addMember()
  const check = await save(`${randomUUID()} [[say: ok]]`)
  await updateCheck(site.admin, { id: check.id, groups: [member.groupId] })
  const outcome = async (id: string) => {
    await advanceUnbegun(id)
    const [result] = (await untilEnded(site.admin, id)).results
    return { verdict: result?.verdict, runId: result?.runId, reason: result?.reason }
  }
  const none = { verdict: 'not-run', runId: null }
  // The configuration.
  const first = await addUnbegun(member, check.id)
  await db().configurationGroup.deleteMany({ where: { groupId: member.groupId } })
  expect(await outcome(first)).toMatchObject(none)
  await db().configurationGroup.create({
    data: { groupId: member.groupId, configurationId: await configurationId() },
  })
  // The membership.
  const second = await addUnbegun(member, check.id)
  await db().groupMember.deleteMany({ where: { groupId: member.groupId } })
  expect(await outcome(second)).toMatchObject(none)
  await db().groupMember.create({
    data: { groupId: member.groupId, userId: member.actor.userId },
  })
  // The key.
  const keyId = await addKey(member)
  const third = await addUnbegun(member, check.id, { apiKeyId: keyId })
  await revokeKey(member, { keyId })
  expect(await outcome(third)).toMatchObject(none)
  // A freeze that was lifted.
  const fourth = await addUnbegun(member, check.id)
  await freezeSite(site.admin, { reason: 'A leak' })
  await unfreezeSite(site.admin, {})
  expect(await outcome(fourth)).toMatchObject(none)
  // A freeze.
  const fifth = await addUnbegun(member, check.id)
  await freezeSite(site.admin, { reason: 'A leak' })
  const frozen = await outcome(fifth)
  await unfreezeSite(site.admin, {})
  expect(frozen).toMatchObject(none)
  // The account, which is enabled again.
  const sixth = await addUnbegun(member, check.id)
  await updateUser(site.admin, { userId: member.actor.userId, disabled: true })
  await updateUser(site.admin, { userId: member.actor.userId, disabled: false })
  expect(await outcome(sixth)).toMatchObject(none)
  const seventh = await addUnbegun(member, check.id)
  await deleteUser(site.admin, { userId: member.actor.userId })
  expect(await outcome(seventh)).toMatchObject(none)
})

test('in recorded mode no tool is called: none that starts runs, writes notes or sends', async () => {
  for (const name of ['spawn_run', 'memory_write', 'memory_read']) {
    await switchTool(site.admin, { name, enabled: true, reason: 'a test' })
    await needsNoApproval(name)
  }
  const note = `note ${randomUUID()}`
  const check = await save(
    scripted(
      call('spawn_run', { configuration: site.configuration, prompt: '[[say: child]]' }),
      call('memory_write', { mode: 'add', content: note }),
      call('memory_read', {}),
    ),
  )

  const counts = async () => [
    await db().run.count({ where: { parentRunId: { not: null } } }),
    await db().memoryNote.count(),
  ]
  const before = await counts()
  await run(check.id)
  expect(await counts()).toEqual(before)
  await run(check.id, 'live')

  expect(await counts()).toEqual(before)
  await updateCheck(site.admin, { id: check.id, sources: { spawn_run: { type: 'live' } } })
  await run(check.id, 'recorded')

  expect(await counts()).toEqual(before)
})

test('a source that is live is not called in recorded mode', async () => {
  const text = randomUUID()
  const check = await save(scripted(write(text)))
  await updateCheck(site.admin, { id: check.id, sources: { append_line: { type: 'live' } } })
  await run(check.id, 'recorded')
  const lines = (await site.writtenLines()).filter((line) => line === text)
  expect(lines).toHaveLength(1)
})

test('a check run past a budget starts no model request, and its cost is that of its runner', async () => {
  const member = await addMember()
  const check = await save(`${randomUUID()} [[say: ok]]`, { tries: 20, passes: 1 })
  await updateCheck(site.admin, { id: check.id, groups: [member.groupId] })
  const { id: budgetId } = await budgetVerbs.create(site.admin, {
    scope: 'site',
    window: 'day',
    unit: 'tokens',
    amount: 1,
  })
  const before = site.server.requests.length
  const done = await run(check.id, 'recorded', member)
  await db().budget.deleteMany({ where: { id: budgetId } })
  expect(site.server.requests.length).toBe(before)
  expect(done).toMatchObject({ verdict: 'not-run', notRun: 20 })
}, 60_000)

test('a limited key of an admin changes no check of others', async () => {
  const member = await addMember()
  const check = await save(`${randomUUID()} [[say: ok]]`, {}, member)
  const keyLimits = { configurations: [await configurationId()], tools: null, toolGroups: null }
  const apiKeyId = await addKey(site.admin)
  const limited: Ctx = { ...site.admin, via: 'api', apiKeyId, keyLimits }
  await expect(updateCheck(limited, { id: check.id, prompt: 'Write to all.' })).rejects.toThrow()
})

test('a key that was limited to tools in the middle begins no try of a check with any results', async () => {
  const check = await save(scripted(call('list_groups')))
  const apiKeyId = await addKey(site.admin)
  const id = await addUnbegun(site.admin, check.id, { apiKeyId })
  await limitApiKey(site.admin, { id: apiKeyId, tools: ['list_groups'] })
  await advanceUnbegun(id)
  const done = await untilEnded(site.admin, id)
  expect(done.results[0]).toMatchObject({ verdict: 'not-run', runId: null })
})

test('the author of a prompt approves no call of a run that another person starts', async () => {
  const [author, runner] = [await addPerson('admin'), await addPerson('admin')]
  const check = await save(scripted('[[say: ok]]'))
  await updateCheck(author, { id: check.id, prompt: scripted(write(randomUUID())) })
  await updateCheck(site.admin, {
    id: check.id,
    assertions: [{ type: 'tool-called', tool: 'append_line', atLeast: 1 }],
  })
  await site.addRule({ fourEyes: true })
  const { checkRunId } = await runCheck(runner, { id: check.id })
  const [result] = (await readCheckRun(runner, { id: checkRunId })).results
  const [row] = await untilWaiting(site.admin, result?.runId ?? '')
  if (!row) throw new Error('A call waits.')
  const approve = { type: 'approve', message: '' } as const
  await expect(decide(author, row, approve)).rejects.toThrow()
  await expect(decide(runner, row, approve)).rejects.toThrow()
  await stopCheckRun(runner, { id: checkRunId })
  await site.removeRules()
})

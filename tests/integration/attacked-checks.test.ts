import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { deleteCheck } from '@/lib/domains/checks/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { deleteUser, updateUser } from '@/lib/domains/users/verbs'
import { limitApiKey, updateCheck } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { advanceCheckRun, advanceCheckRuns } from '@/lib/runs/checks/advance-check-run'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck, stopCheckRun } from '@/lib/runs/checks/start-check'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { readRun } from '@/lib/runs/read-run'
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
  newName,
  scripted,
  untilEnded,
  write,
} from '@/tests/support/check-site'
import { db } from '@/tests/support/fixture-db'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { waitingForRows } from '@/tests/support/waiting-for-rows'

const { addMember, configurationId, run, save, site } = checkSiteOfFile()

test('a check whose prompt grew when its secrets were removed keeps no other check from running', async () => {
  const secret = ' password=hunter2 '
  const script = `${randomUUID()} [[say: ok]]`
  const prompt = `${script}${'x '.repeat(100_000).slice(0, 200_000 - script.length - secret.length)}${secret}`
  const check = await save(prompt)
  expect(check.prompt.length).toBeGreaterThan(200_000)
  const other = await save(`${randomUUID()} [[say: ok]]`)
  const { checkRunId } = await runCheck(site.admin, { id: check.id })
  const later = await addUnbegun(site.admin, other.id, { isOpen: true })

  await advanceCheckRuns(engine()).catch(() => undefined)
  const read = async () => {
    const first = await readCheckRun(site.admin, { id: checkRunId })
    const second = await readCheckRun(site.admin, { id: later })
    return [first.verdict, second.verdict]
  }
  try {
    await expect.poll(read, { timeout: 6_000 }).toEqual(['not-run', 'passed'])
  } finally {
    await deleteCheck(site.admin, { id: check.id })
    await db().checkRun.deleteMany({ where: { id: { in: [checkRunId, later] } } })
  }
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

test('a check that is deleted while it runs leaves no run that nobody can stop by it', async () => {
  const check = await save(scripted(write(randomUUID())))
  await site.addRule()
  const { checkRunId } = await runCheck(site.admin, { id: check.id })
  const [result] = (await readCheckRun(site.admin, { id: checkRunId })).results
  const runId = result?.runId ?? ''
  await untilWaiting(site.admin, runId)
  await deleteCheck(site.admin, { id: check.id })
  const status = async () => (await db().run.findUniqueOrThrow({ where: { id: runId } })).status
  try {
    await expect.poll(status, { timeout: 4_000 }).toBe('ended')
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

test('a member who runs a check is not sent notes that another person keeps', async () => {
  const member = await addMember()
  const note = `private ${randomUUID()}`
  for (const name of ['memory_write', 'memory_read']) {
    await switchTool(site.admin, { name, enabled: true, reason: 'a test' })
    await needsNoApproval(name)
  }
  const check = await save(
    scripted(call('memory_write', { mode: 'add', content: note }), call('memory_read', {})),
  )
  await updateCheck(site.admin, { id: check.id, groups: [member.groupId] })
  const done = await run(check.id, 'recorded', member)
  const record = await readRun(member, done.results[0]?.runId ?? '')
  expect(
    JSON.stringify(
      foldRun(record.events).rounds.map(({ calls }) => calls.map(({ state }) => state)),
    ),
  ).not.toContain(note)
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

test('a member gives no other group what a group was given: a check of another person', async () => {
  const [member, third] = [await addMember(), await addMember()]
  await db().groupMember.create({
    data: { groupId: third.groupId, userId: member.actor.userId },
  })
  const file = await uploadFile(site.admin, {
    name: 'a.txt',
    pieces: [new TextEncoder().encode(randomUUID())],
    dataClass: null,
  })
  const { runId } = await start(site, scripted('[[say: ok]]'), { files: [{ id: file.id }] })
  await collect(site.admin, runId)
  const check = await saveCheck(site.admin, { runId, name: newName() })
  await updateCheck(site.admin, { id: check.id, groups: [member.groupId] })
  const done = await run(check.id, 'recorded', member)
  const copy = saveCheck(member, {
    runId: done.results[0]?.runId ?? '',
    name: newName(),
    groups: [third.groupId],
  })
  await expect(copy).rejects.toThrow()
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

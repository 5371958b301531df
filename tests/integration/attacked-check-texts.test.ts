import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readCheck } from '@/lib/domains/checks/verbs'
import { updateCheck } from '@/lib/joined-verbs'
import { AppError } from '@/lib/kernel/errors'
import { copyRun } from '@/lib/runs/checks/copy-run'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck } from '@/lib/runs/checks/start-check'
import { readFile } from '@/lib/runs/files/read-run-files'
import { sweepFiles, uploadFile } from '@/lib/runs/files/upload-file'
import { readRun } from '@/lib/runs/read-run'
import { call, checkSiteOfFile, newName, scripted } from '@/tests/support/check-site'
import { db } from '@/tests/support/fixture-db'
import { collect, start } from '@/tests/support/run-site'

const { addMember, run, save, site } = checkSiteOfFile()

test('patterns of a check do not keep a process from its work for long', async () => {
  const pattern = `([a-z]? ?){120}b$`
  const assertions = Array.from({ length: 50 }, (_, index) => ({
    type: 'answer-matches' as const,
    pattern: `${pattern}${'c'.repeat(index % 5)}`,
  }))
  const check = await save(`${randomUUID()} [[say: ${'word by word '.repeat(9_000)}]]`, {
    assertions,
  })
  let longestMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last)
    last = now
  }, 20)
  await run(check.id)
  clearInterval(timer)

  expect(longestMs).toBeLessThan(3_000)
}, 120_000)

test('patterns of arguments do not keep a process from its work for long', async () => {
  const assertions = Array.from({ length: 50 }, () => ({
    type: 'argument' as const,
    tool: 'read_note',
    path: '$.text',
    operator: 'matches' as const,
    value: '([a-z]? ?){400}([a-z]? ?){400}([a-z]? ?){200}7$',
  }))
  const text = 'word by word '.repeat(700)
  const check = await save(
    scripted(...Array.from({ length: 3 }, () => call('read_note', { text }))),
    { assertions },
  )
  let longestMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last)
    last = now
  }, 20)
  await run(check.id)
  clearInterval(timer)

  expect(longestMs).toBeLessThan(3_000)
}, 120_000)

test('texts that PostgreSQL cannot store are cleaned or refused by name, never an error of the server', async () => {
  const check = await save(`${randomUUID()} [[say: ok]]`)
  const tries: [string, () => Promise<unknown>][] = [
    [
      'source nul',
      () =>
        updateCheck(site.admin, {
          id: check.id,
          sources: { list_groups: { type: 'fixed', content: 'a\u0000b' } },
        }),
    ],
    [
      'source surrogate',
      () =>
        updateCheck(site.admin, {
          id: check.id,
          sources: { list_groups: { type: 'fixed', content: 'a\ud800b' } },
        }),
    ],
    [
      'source name nul',
      () => updateCheck(site.admin, { id: check.id, sources: { 'a\u0000b': { type: 'live' } } }),
    ],
    ['name nul', () => readCheck(site.admin, { id: 'a\u0000b' })],
    ['name surrogate', () => readCheck(site.admin, { id: 'a\ud800b' })],
    ['rename', () => updateCheck(site.admin, { id: check.id, name: 'a\u0000b' })],
    ['description', () => updateCheck(site.admin, { id: check.id, description: 'a\u0000\ud800b' })],
    ['configuration', () => runCheck(site.admin, { id: check.id, configurations: ['a\u0000b'] })],
    ['group', () => updateCheck(site.admin, { id: check.id, groups: ['a\u0000b'] })],
    [
      'answer nul',
      () =>
        updateCheck(site.admin, {
          id: check.id,
          assertions: [{ type: 'answer-contains', text: 'a\u0000\ud800b' }],
        }),
    ],
    [
      'tool nul',
      () =>
        updateCheck(site.admin, {
          id: check.id,
          assertions: [{ type: 'tool-called', tool: 'a\u0000\ud800b', atLeast: 1 }],
        }),
    ],
  ]
  const bad: string[] = []
  for (const [what, attempt] of tries) {
    const error: unknown = await attempt().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    const isKnown = error === null || (error instanceof Error && 'status' in error)

    if (!isKnown) bad.push(what)
  }
  expect(bad).toEqual([])
})

test('names of prototypes are refused as sources, and are ordinary names of tools in assertions', async () => {
  const check = await save(scripted(call('list_groups')))
  const hostile = JSON.parse('{"__proto__":{"type":"live"}}')
  await expect(updateCheck(site.admin, { id: check.id, sources: hostile })).rejects.toThrow(
    'Unknown field',
  )
  const sources = JSON.parse('{"constructor":{"type":"live"},"toString":{"type":"refused"}}')
  await updateCheck(site.admin, { id: check.id, sources })
  expect((await run(check.id)).verdict).toBe('passed')
  for (const tool of ['__proto__', 'constructor', 'toString']) {
    const assertions = [{ type: 'tool-not-called' as const, tool }]
    await updateCheck(site.admin, { id: check.id, assertions })
    expect((await run(check.id)).verdict).toBe('passed')
  }
})

test('a secret in a text of an assertion, a source, or an answer is not in the audit', async () => {
  const secret = `sk-${'a1B2c3D4e5F6g7H8'.repeat(3)}`
  const check = await save(`${randomUUID()} [[say: ok]]`, {
    assertions: [{ type: 'answer-contains', text: `the ${secret} key` }],
    description: `of ${secret}`,
  })
  await updateCheck(site.admin, {
    id: check.id,
    sources: { list_groups: { type: 'fixed', content: secret } },
    name: `n ${secret}`,
  })
  const done = await run(check.id)
  const rows = await db().auditEntry.findMany({ where: { objectId: { in: [check.id, done.id] } } })
  const text = JSON.stringify(rows)
  expect(text).not.toContain(secret)
})

test('files of a check stay while it stays, and another person has them in its runs alone', async () => {
  const member = await addMember()
  const file = await uploadFile(site.admin, {
    name: 'a.txt',
    pieces: [new TextEncoder().encode(randomUUID())],
    dataClass: null,
  })
  const { runId } = await start(site, `${randomUUID()} [[say: ok]]`, { files: [{ id: file.id }] })
  await collect(site.admin, runId)
  const check = await saveCheck(site.admin, { runId, name: newName() })
  await updateCheck(site.admin, { id: check.id, groups: [member.groupId] })
  const done = await run(check.id, 'recorded', member)
  expect(done.verdict).toBe('passed')
  await expect(readFile(member, file.id)).rejects.toThrow('The file')
  await expect(
    start({ ...site, admin: member }, 'x', { files: [{ id: file.id }] }),
  ).rejects.toThrow('The file')
  await db().runEventRow.deleteMany({
    where: { runId: { in: [runId, done.results[0]?.runId ?? ''] } },
  })
  await db().run.deleteMany({ where: { id: { in: [runId, done.results[0]?.runId ?? ''] } } })
  await sweepFiles(db())
  expect((await run(check.id)).verdict).toBe('passed')
})

test('secrets in artifacts of results are not copied', async () => {
  const secret = `sk-${'a1B2c3D4e5F6g7H8'.repeat(3)}`
  const { runId } = await start(site, scripted(call('list_groups')))
  await collect(site.admin, runId)
  const run = await readRun(site.admin, runId)
  const events = run.events.map((event) => {
    if (event.type !== 'call-end' || event.data.outcome.type !== 'ok') return event
    const artifacts = [
      { type: 'text' as const, title: 'Keys', text: secret },
      { type: 'table' as const, title: 'Keys', columns: ['key'], rows: [[secret]] },
    ]
    const outcome = { ...event.data.outcome, content: secret, artifacts }
    return { ...event, data: { ...event.data, outcome } }
  })
  const { recordings, leftOut } = copyRun({ ...run, events })
  expect(leftOut).toEqual(['Secrets in 1 result of list_groups were removed.'])
  expect(JSON.stringify(recordings)).not.toContain(secret)
})

test('an answer with a secret is not quoted in a verdict, which outlives the run', async () => {
  const secret = `sk-${'a1B2c3D4e5F6g7H8'.repeat(3)}`
  const check = await save(scripted(call('read_note', { text: 'x' })), {
    assertions: [{ type: 'answer-equals', text: 'nothing' }],
  })
  const prompt = `${randomUUID()} [[say: ${secret}]]`
  await updateCheck(site.admin, { id: check.id, prompt })
  const done = await run(check.id)
  expect(done.verdict).toBe('failed')
  const { judged } = await db().checkResult.findFirstOrThrow({ where: { checkRunId: done.id } })
  expect(judged).not.toContain(secret)
})

test('a changed system prompt that grew when its secrets were removed is refused by name', async () => {
  const secret = ' password=hunter2 '
  const systemPrompt = `${'x '.repeat(50_000).slice(0, 100_000 - secret.length)}${secret}`
  const { runId } = await start(site, scripted('[[say: ok]]'), { overrides: { systemPrompt } })
  await collect(site.admin, runId)
  const saved = await saveCheck(site.admin, { runId, name: newName() }).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(saved === null || saved instanceof AppError).toBe(true)
})

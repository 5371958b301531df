import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { deleteUser } from '@/lib/domains/users/verbs'
import { streamTrial, type TrialEvent, TriedChange } from '@/lib/doors/stream-trial'
import type { Ctx } from '@/lib/kernel/context'
import { keepTrial, listTrials, pruneTrials, readTrial } from '@/lib/runs/replay/kept-trials'
import { runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { approvalSiteOfFile } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { openStreamedWork } from '@/tests/support/open-streamed-work'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'

const site = approvalSiteOfFile()
const secret = 'Which groups does the Orion project have?'
let runId = ''

beforeAll(async () => {
  runId = (await start(site, `${secret} [[call list_groups {}]] [[then]] [[say: Done.]]`)).runId
  await collect(site.admin, runId)
})
beforeEach(() => db().keptTrial.deleteMany())

const file = 'toolgate: 2\ntools:\n  - { name: list_groups, enabled: false }\n'

/** Tries a change as a page does. */
function open(change: object = { of: 'file', file }, ctx: Ctx = site.admin) {
  const tried = TriedChange.parse(change)
  return openStreamedWork<TrialEvent>(ctx, (reader) => streamTrial({ tried, ...reader }))
}

test('a trial of a page says how far it is and what it found, and every admin can open that for a day', async () => {
  const events = await open().rest()
  expect(events[0]).toEqual({ type: 'progress', done: 0, of: 1 })
  expect(events.at(-1)).toMatchObject({ type: 'outcome', trial: { replayed: 1, changed: 1 } })
  const other = await addPerson('admin')
  for (const ctx of [site.admin, other]) {
    const [kept] = await listTrials(ctx)
    expect(kept).toMatchObject({ change: 'list_groups off', days: 30, changed: 1, replayed: 1 })
    const { trial } = await readTrial(ctx, kept?.id ?? '')
    expect(trial.runs).toMatchObject([{ runId, prompt: expect.stringContaining('Orion') }])
  }
  const member = await addPerson('member')
  await expect(listTrials(member)).rejects.toThrow('admin')
  await expect(readTrial(member, '')).rejects.toThrow('admin')
  expect(await open({ of: 'file', file }, member).rest()).toMatchObject([
    { type: 'failed', error: { code: 'forbidden' } },
  ])
})

test('a kept result says what changes, of which runs, and that calls would be lost', async () => {
  const configuration = await db().configuration.findFirstOrThrow()
  const group = await db().group.create({ data: { name: 'Trial readers' } })
  await db().configuration.update({ where: { id: configuration.id }, data: { name: 'Fast' } })
  const text = `toolgate: 2
toolLimits: [{ name: list_groups, perMinute: 5 }]
configurations: [{ identifier: ${configuration.identifier}, fourEyes: ${!configuration.fourEyes} }]
`
  const change = { of: 'file', file: text, configuration: configuration.id, group: group.id }
  const ended = (await open(change).rest()).at(-1)
  const waysOut = ended?.type === 'outcome' ? ended.trial.waysOut : []
  expect(await listTrials(site.admin)).toMatchObject([
    {
      change: `list_groups: 5 a minute; Fast: four eyes ${configuration.fourEyes ? 'off' : 'on'}`,
      configuration: 'Fast',
      group: 'Trial readers',
      lost: waysOut.length,
    },
  ])
  await db().group.delete({ where: { id: group.id } })
})

test('a trial of a command or over HTTP is not kept', async () => {
  const draft = { tools: [{ name: 'list_groups', enabled: false }] }
  await runTrial(site.admin, TrialInput.parse({ draft }))
  expect(await db().keptTrial.count()).toBe(0)
})

test('prompts stay with their runs, and a run that the reader may not see is left out', async () => {
  await open().rest()
  const [row] = await db().keptTrial.findMany()
  expect(JSON.stringify(row)).not.toContain('Orion')
  const limits = { tools: null, toolGroups: null, configurations: [] }
  const limited: Ctx = { ...site.admin, apiKeyId: 'k', keyLimits: limits }
  const { trial } = await readTrial(limited, row?.id ?? '')
  expect(trial).toMatchObject({ changed: 1, runs: [] })
})

test('after a day it is gone', async () => {
  await open().rest()
  const [kept] = await listTrials(site.admin)
  const createdAt = new Date(Date.now() - 24 * 3_600_000 - 1_000)
  await db().keptTrial.updateMany({ data: { createdAt } })
  expect(await listTrials(site.admin)).toEqual([])
  await expect(readTrial(site.admin, kept?.id ?? '')).rejects.toThrow('does not exist')
  await pruneTrials(db())
  expect(await db().keptTrial.count()).toBe(0)
})

test('it goes with its author', async () => {
  const author = await addPerson('admin')
  await open({ of: 'file', file }, author).rest()
  expect(await db().keptTrial.count()).toBe(1)
  await deleteUser(site.admin, { userId: author.actor.userId })
  expect(await db().keptTrial.count()).toBe(0)
})

test('a second one is refused while one runs; a page that is left stops it, and nothing of it is kept', async () => {
  const draft = { of: 'draft', draft: { tools: [{ name: 'list_groups', enabled: false }] } }
  const [first, second] = [open(draft), open(draft)]
  expect(await second.next()).toMatchObject({ type: 'failed', error: { code: 'conflict' } })
  expect(await first.next()).toMatchObject({ type: 'progress', done: 0 })
  first.leave()
  expect(await first.next()).toBeNull()
  expect(await db().keptTrial.count()).toBe(0)
  expect((await open(draft).rest()).at(-1)).toMatchObject({ type: 'outcome' })
  expect(await db().keptTrial.count()).toBe(1)
})

test('a trial that is stopped after its last run has been read is not kept', async () => {
  const input = TrialInput.parse({ draft: { tools: [{ name: 'list_groups', enabled: false }] } })
  const stop = new AbortController()
  const { signal } = stop
  const onProgress = vi.fn((done: number, of: number) => {
    if (of - done <= 1) stop.abort()
  })
  await expect(runTrial(site.admin, input, { signal, onProgress })).rejects.toThrow('aborted')
  expect(onProgress).toHaveBeenCalledWith(0, 1)
  const trial = await runTrial(site.admin, input)
  await expect(keepTrial(site.admin, { input, signal }, trial)).rejects.toBe(signal.reason)
  expect(await db().keptTrial.count()).toBe(0)
})

test('what is wrong with the file is said at its field', async () => {
  const wrong = async (text: string) => {
    const [event] = await open({ of: 'file', file: text }).rest()
    return event?.type === 'failed' ? event.error.fields : null
  }
  expect(await wrong('tools: []')).toEqual({ file: expect.stringContaining('toolgate: 2') })
  expect(await wrong('toolgate: 2\nusers: 3')).toEqual({ file: expect.any(String) })
  expect(await wrong('toolgate: 2\ntools:\n  - { name: list_grups, enabled: false }')).toEqual({
    file: expect.stringContaining('list_grups'),
  })
})

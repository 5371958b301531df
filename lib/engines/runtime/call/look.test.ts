import { expect, test } from 'vitest'
import { advance } from '@/lib/engines/runtime/run-agent'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { type TargetReader, ToolError } from '@/lib/protocol/tool'
import { everybody, no, yes } from '@/tests/support/approval-fixture'
import { finish, hash, kept, noteFixture } from '@/tests/support/note-fixture'
import { eventsOf } from '@/tests/support/run-fixture'

const author = { by: 'Ada', reason: '' }

test('the request for approval has the content before and after the call, and the end has what was read back', async () => {
  const run = noteFixture()
  const { call, outcome, check } = await finish(run)
  const [request] = eventsOf(run.events, 'approval-request')
  expect(request?.data.preview).toEqual({
    before: { type: 'text', ...kept('old') },
    becomes: kept('new'),
  })
  expect(call?.approval?.preview).toEqual(request?.data.preview)
  expect(outcome?.type).toBe('ok')
  expect(check).toEqual({
    before: { type: 'text', ...kept('old') },
    approved: kept('new'),
    after: { type: 'text', ...kept('new') },
  })
  // The request has it already.
  expect(eventsOf(run.events, 'call-start')[0]?.data.before).toBeUndefined()
})

test('content that changed after the approval is not overwritten, and the model is told why', async () => {
  const decide = everybody(() => {
    run.note.text = 'meanwhile'
    return yes
  })
  const run = noteFixture({ deps: { readDecisions: decide } })
  const { outcome } = await finish(run)
  expect(outcome).toMatchObject({ type: 'failed', code: 'changed-meanwhile' })
  expect(run.note).toEqual({ text: 'meanwhile', writes: 0 })
  expect(eventsOf(run.events, 'call-start')).toEqual([])
  expect(JSON.stringify(run.model.calls.at(-1)?.request.messages)).toContain(
    'changed after a person looked at it',
  )
})

test('new content counts as a change where nothing was there before', async () => {
  const decide = everybody(() => {
    run.note.text = ''
    return yes
  })
  const run = noteFixture({ before: null, deps: { readDecisions: decide } })
  expect((await finish(run)).outcome).toMatchObject({ code: 'changed-meanwhile' })
  const quiet = noteFixture({ before: null })
  expect((await finish(quiet)).check).toMatchObject({ before: { type: 'nothing' } })
  expect(quiet.note.writes).toBe(1)
})

test.each([
  ['something else', (text: string) => `${text}, and more`],
  ['nothing', () => null],
])('a write that leaves %s is failed, whatever the tool says', async (_what, write) => {
  const run = noteFixture({ write })
  const { outcome, check } = await finish(run)
  expect(outcome).toMatchObject({ type: 'failed', code: 'not-as-approved' })
  expect(check?.approved).toEqual(kept('new'))
})

test('a write that need not wait is looked at, too, and its start says what was there', async () => {
  const run = noteFixture({ waits: false })
  const { check } = await finish(run)
  expect(eventsOf(run.events, 'approval-request')).toEqual([])
  expect(eventsOf(run.events, 'call-start')[0]?.data.before).toMatchObject({ text: 'old' })
  expect(check?.after).toMatchObject({ text: 'new' })
})

test('a look that fails is said in words, and the call waits and runs all the same', async () => {
  const read = async () => {
    throw new ToolError('gone', 'The folder is locked.')
  }
  const run = noteFixture({ look: { read } })
  const { outcome, check } = await finish(run)
  const problem = { type: 'unread', problem: 'The folder is locked.' }
  expect(eventsOf(run.events, 'approval-request')[0]?.data.preview?.before).toEqual(problem)
  expect(outcome?.type).toBe('ok')
  expect(check).toMatchObject({ before: problem, after: problem })
})

test('the message of an exception reaches the log alone, and a look that hangs is ended', async () => {
  const broken = noteFixture({
    look: {
      read: async () => {
        throw new Error('secret-path')
      },
    },
  })
  await finish(broken)
  expect(JSON.stringify(broken.events)).not.toContain('secret-path')
  expect(JSON.stringify(broken.incidents.map(({ detail }) => String(detail)))).toContain(
    'secret-path',
  )
  const endless = noteFixture({ look: { read: () => new Promise(() => undefined) } })
  const { check } = await finish(endless)
  expect(check?.before).toEqual({ type: 'unread', problem: 'It could not be read in time.' })
})

test('content that cannot be read again after the approval is not overwritten', async () => {
  let looks = 0
  const read = async () => {
    looks += 1
    if (looks > 1) throw new ToolError('gone', 'It went away.')
    return 'old'
  }
  const run = noteFixture({ look: { read } })
  const { outcome } = await finish(run)
  expect(outcome).toMatchObject({
    code: 'changed-meanwhile',
    message: expect.stringContaining('It went away.'),
  })
  expect(run.note.writes).toBe(0)
})

test('long texts are cut for people and compared whole; control characters are not kept', async () => {
  const long = `\u0000${'x'.repeat(70_000)}`
  const run = noteFixture({ before: long })
  const { check } = await finish(run)
  if (check?.before.type !== 'text') throw new Error('It was not read.')
  expect(check.before.text).toBe('x'.repeat(65_536))
  expect(check.before.sha256).toBe(hash(long))
  expect(check.before.bytes).toBe(70_001)
})

test('edited arguments are compared with what they say, and a denied call is not looked at again', async () => {
  const edited = { ...yes, type: 'edited' as const, argumentsText: '{"text":"other"}' }
  const run = noteFixture({ deps: { readDecisions: everybody(() => edited) } })
  const { outcome, check } = await finish(run)
  expect(outcome?.type).toBe('ok')
  expect(check).toMatchObject({ approved: kept('other'), after: { text: 'other' } })
  let looks = 0
  const read = async () => {
    looks += 1
    return 'old'
  }
  const refused = noteFixture({ look: { read }, deps: { readDecisions: everybody(() => no) } })
  await finish(refused)
  expect(looks).toBe(1)
})

test('after a crash during a write, what was there and what is there now stand beside its unknown outcome', async () => {
  for (const waits of [true, false]) {
    const first = noteFixture({ waits })
    await finish(first)
    const started = first.events.findIndex(({ type }) => type === 'call-start')
    const events = first.events.slice(0, started + 1)
    const next = noteFixture({ waits, before: 'half', events })
    let state = foldRun(events)
    while (!state.end) state = await advance(state, next.deps)
    expect(next.note).toEqual({ text: 'half', writes: 0 })
    expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
      outcome: { type: 'unknown' },
      check: { before: { text: 'old' }, approved: kept('new'), after: { text: 'half' } },
    })
  }
})

/** Returns how a call of an idempotent write goes on that a dead process began, with `now` where "old" was. */
async function repeatedOver(now: string, waits: boolean) {
  const first = noteFixture({ waits, effect: 'idempotent-write' })
  await finish(first)
  const started = first.events.findIndex(({ type }) => type === 'call-start')
  const events = first.events.slice(0, started + 1)
  const next = noteFixture({ waits, before: now, events, effect: 'idempotent-write' })
  let state = foldRun(events)
  while (!state.end) state = await advance(state, next.deps)
  return { note: next.note, ended: state.rounds[0]?.calls[0]?.state }
}

test.each([
  [true, 'old'],
  [true, 'new'],
  [false, 'old'],
  [false, 'new'],
  [false, 'half'],
])(
  'after a crash, an idempotent write (waited: %s) is repeated over "%s", and is compared with what was there at first',
  async (waits, now) => {
    const { note, ended } = await repeatedOver(now, waits)
    expect(note).toEqual({ text: 'new', writes: 1 })
    expect(ended).toMatchObject({
      outcome: { type: 'ok' },
      check: { before: { text: 'old' }, approved: kept('new'), after: { text: 'new' } },
    })
  },
)

test('after a crash, an approved idempotent write is not repeated over what nobody saw, and nobody says that nothing changed', async () => {
  const { note, ended } = await repeatedOver('half', true)
  expect(note).toEqual({ text: 'half', writes: 0 })
  expect(ended).toMatchObject({
    outcome: { type: 'unknown', reason: expect.stringContaining('may have taken effect') },
    check: { before: { text: 'old' }, approved: kept('new'), after: { text: 'half' } },
  })
})

test('after a crash, a tool that was switched off is not asked what is there', async () => {
  const first = noteFixture({ waits: false })
  await finish(first)
  const started = first.events.findIndex(({ type }) => type === 'call-start')
  const events = first.events.slice(0, started + 1)
  const next = noteFixture({ events })
  next.switches.subject = { ...next.switches.subject, groupsOff: new Map([['test', author]]) }
  let state = foldRun(events)
  while (!state.end) state = await advance(state, next.deps)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    check: { after: { type: 'unread', problem: 'The tool may not be used now.' } },
  })
})

/** Adds to what is there, as an edit does, so that its own work would be added to once more. */
const adding: Partial<TargetReader> = {
  becomes: (_, now) => (typeof now === 'string' ? `${now} and new` : null),
}

test('the expected content is computed from the current one, and is unknown where that could not be read', async () => {
  const run = noteFixture({ look: adding, write: () => 'old and new' })
  const { outcome, check } = await finish(run)
  expect(outcome?.type).toBe('ok')
  expect(check).toMatchObject({ approved: kept('old and new'), after: kept('old and new') })
  const locked = noteFixture({
    look: { ...adding, read: () => Promise.reject(new ToolError('locked', 'It is locked.')) },
  })
  await finish(locked)
  const [request] = eventsOf(locked.events, 'approval-request')
  expect(request?.data.preview).toEqual({
    before: { type: 'unread', problem: 'It is locked.' },
    becomes: null,
  })
})

test.each([
  [true, kept('old and new')],
  [false, null],
])(
  'after a crash, what was approved (waited: %s) is not made of what the call may have written',
  async (waits, approved) => {
    const first = noteFixture({ waits, look: adding, write: () => 'old and new' })
    await finish(first)
    const started = first.events.findIndex(({ type }) => type === 'call-start')
    const events = first.events.slice(0, started + 1)
    const next = noteFixture({ waits, before: 'old and new', events, look: adding })
    let state = foldRun(events)
    while (!state.end) state = await advance(state, next.deps)
    expect(next.note.writes).toBe(0)
    expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
      outcome: { type: 'unknown' },
      check: { before: { text: 'old' }, approved, after: { text: 'old and new' } },
    })
  },
)

test('content that the look announces is compared with what is there after the call', async () => {
  const look = { becomes: undefined }
  const fixture = noteFixture({
    look: { ...look, read: async () => ({ now: 'old', becomes: 'NEW' }) },
  })
  const { call, outcome, check } = await finish(fixture)
  expect(call?.approval?.preview).toMatchObject({ before: kept('old'), becomes: kept('NEW') })
  expect(check).toMatchObject({ approved: kept('NEW'), after: kept('old') })
  expect(outcome).toMatchObject({ type: 'failed', code: 'not-as-approved' })
})

test('a write whose target only its result names is read back by that result', async () => {
  const results: unknown[] = []
  const look = {
    read: async () => null,
    readBack: async (_: unknown, content: unknown) => {
      results.push(content)
      return 'new'
    },
  }
  const { outcome, check } = await finish(noteFixture({ look }))
  expect(results).toEqual(['saved'])
  expect(outcome?.type).toBe('ok')
  expect(check).toMatchObject({ before: { type: 'nothing' }, after: { text: 'new' } })
  const other = await finish(noteFixture({ look: { ...look, readBack: async () => 'other' } }))
  expect(other.outcome).toMatchObject({ type: 'failed', code: 'not-as-approved' })
})

test('a call without a result is not read back as empty', async () => {
  const write = () => {
    throw new ToolError('broken', 'The connection broke.')
  }
  const look = { read: async () => null, readBack: async () => 'new' }
  const { outcome, check } = await finish(noteFixture({ look, write }))
  expect(outcome).toMatchObject({ type: 'failed', code: 'broken' })
  expect(check?.after).toMatchObject({ type: 'unread' })
})

import { expect, test } from 'vitest'
import { advance } from '@/lib/engines/runtime/run-agent'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { type TargetReader, ToolError } from '@/lib/protocol/tool'
import { finish, kept, noteFixture } from '@/tests/support/note-fixture'
import { eventsOf } from '@/tests/support/run-fixture'

/** Adds to what is there, as an edit does, so that its own work would be added to once more. */
const adding: Partial<TargetReader> = {
  becomes: (_, now) => (typeof now === 'string' ? `${now} and new` : null),
}

test('what will be there is made of what is there, unless that could not be read', async () => {
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

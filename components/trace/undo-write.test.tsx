import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { FileWriteDetail } from '@/lib/domains/workspaces/shape'
import type { Outcome } from '@/lib/protocol/tool'
import { showInPage } from '@/tests/support/show-in-page'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { Trace } from './trace'
import { UndoWrite } from './undo-write'
import { WriteActionsProvider } from './write-actions'

const write: FileWriteDetail = {
  id: 'w1',
  path: 'docs/a.md',
  at: '2026-11-26T12:00:00.000Z',
  by: 'kim@example.org',
  runId: 'run-1',
  callId: 'call-edit_file',
  isNew: false,
  undoneAt: null,
  undoneBy: null,
  workspace: { id: 'w', name: 'handbook' },
  before: 'one\n<b>two</b>\n',
  now: 'one\nthree\n',
  refusal: null,
}

function actions(fields: Partial<FileWriteDetail> = {}, undo?: object) {
  const read = vi.fn(async () => ({ ok: true as const, value: { ...write, ...fields } }))
  const undoWrite = vi.fn(async () => ({ ok: true as const, value: undefined, ...undo }))
  return { readWrite: read, findWrite: read, undoWrite }
}

const button = () => screen.getByRole('button', { name: 'Undo this write' })

async function opened(given: ReturnType<typeof actions>) {
  showInPage(
    <WriteActionsProvider value={given}>
      <UndoWrite of={{ writeId: 'w1' }} />
    </WriteActionsProvider>,
  )
  await userEvent.click(button())
  return within(await screen.findByRole('dialog'))
}

test('shows what undoing changes as text, and undoes it', async () => {
  const given = actions()
  const dialog = await opened(given)
  const change = await dialog.findByRole('region', { name: 'What undoing changes' })
  expect(change.textContent).toContain('removed: three')
  expect(change.textContent).toContain('added: <b>two</b>')
  expect(given.undoWrite).not.toHaveBeenCalled()
  await userEvent.click(dialog.getByRole('button', { name: 'Undo this write' }))
  expect(given.undoWrite).toHaveBeenCalledWith({ writeId: 'w1' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('says that a new file is deleted', async () => {
  const dialog = await opened(actions({ before: null }))
  expect(dialog.getByText(/did not exist before\. It is deleted\./)).toBeDefined()
})

test('offers nothing where a write cannot be undone, and says why it was not', async () => {
  const dialog = await opened(actions({ refusal: 'The file was changed after this write.' }))
  expect(dialog.getByText('The file was changed after this write.')).toBeDefined()
  expect(dialog.queryByRole('button', { name: 'Undo this write' })).toBeNull()
})

test('stays open with the error when it changed in the meantime', async () => {
  const error = { code: 'conflict', message: 'This write was undone already.' }
  const dialog = await opened(actions({}, { ok: false, error }))
  await userEvent.click(dialog.getByRole('button', { name: 'Undo this write' }))
  expect(await dialog.findByText('This write was undone already.')).toBeDefined()
})

test.each<[string, Outcome, boolean]>([
  ['edit_file', ok('{}'), true],
  ['write_file', ok('{}'), true],
  ['read_file', ok('{}'), false],
  ['files__write_file', ok('{}'), false],
  ['write_file', { type: 'cancelled', reason: 'Stopped.' }, false],
  [
    'write_file',
    { type: 'failed', code: 'not-as-approved', message: 'No.', incidentId: null },
    true,
  ],
  ['write_file', { type: 'failed', code: 'not-found', message: 'No.', incidentId: null }, false],
])(
  'the trace offers it at a call of %s that ended so: %j → %s',
  async (name, outcome, isOffered) => {
    const given = actions()
    const bodies = [
      start,
      roundStart(1),
      message(1, { toolCalls: [call(name, '{}')] }),
      callEnd(name, outcome),
      end,
    ]
    showInPage(
      <WriteActionsProvider value={given}>
        <Trace runId="run-1" state={stateOf(...bodies)} />
      </WriteActionsProvider>,
    )
    await userEvent.click(screen.getByRole('button', { name: new RegExp(name) }))
    if (!isOffered) return expect(screen.queryByText('Undo this write')).toBeNull()
    await userEvent.click(button())
    expect(given.findWrite).toHaveBeenCalledWith({ runId: 'run-1', callId: `call-${name}` })
  },
)

import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MemoryNote } from '@/lib/domains/memory/schemas'
import { showInPage } from '@/tests/support/show-in-page'
import { changeNote, removeNote, removeNotes } from '../actions'
import { DeleteAllButton } from './delete-all-button'
import { NoteList } from './note-list'

vi.mock('../actions', () => ({ changeNote: vi.fn(), removeNote: vi.fn(), removeNotes: vi.fn() }))
beforeEach(() => {
  for (const action of [changeNote, removeNote, removeNotes]) vi.mocked(action).mockReset()
})

const german: MemoryNote = {
  id: 'n1',
  text: 'Reports are in German.',
  configuration: { id: 'c1', name: 'Research' },
  run: { id: 'r1', prompt: 'Write the report' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
}
const hostile: MemoryNote = {
  ...german,
  id: 'n2',
  text: '<img src=x onerror=alert(1)>\u202Eevil',
  run: null,
}

function show(rows: MemoryNote[]) {
  const sort = { by: '-changed', default: '-changed' } as const
  showInPage(
    <NuqsTestingAdapter>
      <NoteList rows={rows} address={{ path: '/memory', values: {}, page: 1, sort }} />
    </NuqsTestingAdapter>,
  )
  return within(screen.getByRole('table', { name: 'Notes' }))
}
const dialog = () => within(screen.getByRole('dialog'))

test('a note with hidden characters says so, and where they are', () => {
  const table = show([german, hostile])
  const words = 'Has hidden characters, which models read: line 1, column 29'
  expect(table.getAllByText((text) => text.startsWith(words))).toHaveLength(1)
})

test('a note names the run that wrote it, or its person, and is nothing but text', () => {
  const table = show([german, hostile])
  expect(table.getByRole('link', { name: 'Write the report' })).toHaveAttribute('href', '/runs/r1')
  expect(table.getByText('You')).toBeVisible()
  expect(table.getAllByText(/<img src=x/)[0]).toBeVisible()
  expect(table.queryByRole('img')).toBeNull()
  expect(table.getByTitle('right-to-left override')).toBeVisible()
})

test('an edit sends the new text, and a refusal stands beside the field', async () => {
  const refusal = { code: 'conflict', message: 'Taken.', fields: { text: 'Taken.' } }
  vi.mocked(changeNote).mockResolvedValueOnce({ ok: false, error: refusal })
  vi.mocked(changeNote).mockResolvedValueOnce({ ok: true, value: undefined })
  const table = show([german])
  await userEvent.click(table.getByRole('button', { name: /^Edit\s*Reports are in German/ }))
  const field = dialog().getByLabelText('Text')
  fireEvent.change(field, { target: { value: 'In English.' } })
  await userEvent.click(dialog().getByRole('button', { name: 'Save' }))
  expect(field).toHaveAccessibleDescription(expect.stringContaining('Taken.'))
  await userEvent.click(dialog().getByRole('button', { name: 'Save' }))
  expect(vi.mocked(changeNote).mock.calls).toEqual([
    [{ id: 'n1', text: 'In English.' }],
    [{ id: 'n1', text: 'In English.' }],
  ])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a note is deleted after a question', async () => {
  vi.mocked(removeNote).mockResolvedValue({ ok: true, value: undefined })
  const table = show([german])
  await userEvent.click(table.getByRole('button', { name: /^Delete\s*Reports are in German/ }))
  expect(removeNote).not.toHaveBeenCalled()
  await userEvent.click(dialog().getByRole('button', { name: 'Delete note' }))
  expect(removeNote).toHaveBeenCalledExactlyOnceWith({ id: 'n1' })
})

test.each([
  [null, 'Delete all 5 notes', {}],
  [
    { id: 'c1', name: 'Research', notes: 2 },
    'Delete 2 notes with Research',
    { configuration: 'c1' },
  ],
])('all notes are deleted after a question that counts them (%#)', async (chosen, title, sent) => {
  vi.mocked(removeNotes).mockResolvedValue({ ok: true, value: { deleted: 5 } })
  const configurations = [
    { id: 'c1', name: 'Research', notes: 2 },
    { id: 'c2', name: 'Sales', notes: 3 },
  ]
  showInPage(<DeleteAllButton configurations={configurations} chosen={chosen} />)
  await userEvent.click(screen.getByRole('button', { name: 'Delete all' }))
  await userEvent.click(dialog().getByRole('button', { name: title }))
  expect(removeNotes).toHaveBeenCalledExactlyOnceWith(sent)
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { RunMarks } from './run-marks'

const changeMarks = vi.hoisted(() => vi.fn())
vi.mock('../actions', () => ({ changeMarks }))

const ok = { ok: true, value: { tags: [], note: null } }
const note = { text: 'Ask Bo.\u202e', by: 'ada@example.org', at: '2026-01-01T10:00:00.000Z' }

beforeEach(() => {
  changeMarks.mockReset().mockResolvedValue(ok)
})

function show(tags: string[] = [], given: typeof note | null = null) {
  const known = ['billing', 'to check', 'check twice']
  return showInPage(<RunMarks runId="r" tags={tags} note={given} known={known} />)
}

async function openField() {
  await userEvent.click(screen.getByRole('button', { name: 'Add tag' }))
  return screen.findByRole('combobox', { name: 'Add a tag' })
}

test('adds what is typed, in the form in which it is stored, and stays open for the next', async () => {
  const { router } = show(['billing'])
  const field = await openField()
  expect(field).toHaveFocus()
  await userEvent.type(field, ' Late  Fee{Enter}')
  expect(changeMarks).toHaveBeenCalledWith({ runId: 'r', addTags: ['late fee'] })
  await waitFor(() => expect(router.refresh).toHaveBeenCalled())
  expect(field).toHaveValue('')
  await userEvent.type(field, 'two,')
  expect(changeMarks).toHaveBeenLastCalledWith({ runId: 'r', addTags: ['two'] })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add tag' })).toHaveFocus())
})

test('suggests tags of other runs that this one does not have, by keyboard', async () => {
  show(['billing'])
  const field = await openField()
  const names = () => screen.getAllByRole('option').map((option) => option.textContent)
  expect(names()).toEqual(['to check', 'check twice'])
  await userEvent.type(field, 'CHECK')
  expect(names()).toEqual(['Add check', 'to check', 'check twice'])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(changeMarks).toHaveBeenCalledWith({ runId: 'r', addTags: ['to check'] })
})

test('removes a tag, and shows hostile ones as text', async () => {
  show(['a\u202eb'])
  const [tag] = within(screen.getByRole('list', { name: 'Tags' })).getAllByRole('listitem')
  expect(tag).toHaveTextContent('aU+202Eb')
  expect(screen.getByRole('link')).toHaveAttribute('href', '/runs?tag=a%E2%80%AEb')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the tag a[U+202E]b' }))
  expect(changeMarks).toHaveBeenCalledWith({ runId: 'r', removeTags: ['a\u202eb'] })
})

test('takes no more than ten', () => {
  show(Array.from({ length: 10 }, (_, n) => `tag ${n}`))
  expect(screen.queryByRole('button', { name: 'Add tag' })).toBeNull()
  expect(screen.getByText('10 tags at most')).toBeVisible()
})

test('a note says who wrote it, and is edited in place', async () => {
  show([], note)
  expect(screen.getByText(/Ask Bo\./)).toHaveTextContent('Ask Bo.U+202E')
  expect(screen.getByText(/^Note by/)).toHaveTextContent('Note by ada@example.org')
  await userEvent.click(screen.getByRole('button', { name: 'Edit note' }))
  const field = await screen.findByRole('textbox', { name: 'Note' })
  await userEvent.clear(field)
  await userEvent.type(field, 'Asked.')
  await userEvent.click(screen.getByRole('button', { name: 'Save note' }))
  expect(changeMarks).toHaveBeenCalledWith({ runId: 'r', note: 'Asked.' })
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
})

test('a refused note stays as it was typed', async () => {
  changeMarks.mockResolvedValue({
    ok: false,
    error: { code: 'invalid-input', message: 'No.', fields: { note: 'Too long.' } },
  })
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Add note' }))
  const field = await screen.findByRole('textbox', { name: 'Note' })
  await userEvent.type(field, 'Long')
  await userEvent.click(screen.getByRole('button', { name: 'Save note' }))
  expect(await screen.findByText('Too long.')).toBeVisible()
  expect(field).toHaveValue('Long')
})

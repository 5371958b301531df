import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { saveTask } from '../actions'
import { emptyDraft, newVariable, type TaskDraft } from '../task-draft'
import { EditTask } from './edit-task'

vi.mock('../actions', () => ({ saveTask: vi.fn() }))
beforeEach(() => void vi.mocked(saveTask).mockReset())

const named = (name: string, part: Partial<TaskDraft> = {}): TaskDraft => ({
  ...emptyDraft,
  name,
  ...part,
})
const choices = { configurations: [], tools: [], skills: [] }
const page = (version: number, stored: TaskDraft) => (
  <EditTask taskId="t1" version={version} stored={stored} choices={choices} />
)
const name = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Name' })[0]
const press = (button: string | RegExp) =>
  userEvent.click(screen.getByRole('button', { name: button }))
const type = (text: string) => fireEvent.change(name() as HTMLElement, { target: { value: text } })

test('a newer version fills a form in which nothing was typed', () => {
  const { rerender } = showInPage(page(1, named('Notes')))
  rerender(page(2, named('Theirs')))
  expect(name()).toHaveValue('Theirs')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('typed text stays until the reader decides', async () => {
  const { rerender } = showInPage(page(1, named('Notes')))
  type('Mine')
  rerender(page(2, named('Theirs')))
  expect(screen.getByRole('alert')).toHaveTextContent('Somebody saved version 2')
  expect(name()).toHaveValue('Mine')
  await press('Keep mine')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(name()).toHaveValue('Mine')
  rerender(page(3, named('Theirs again')))
  await press('Load version 3')
  expect(name()).toHaveValue('Theirs again')
})

test('values that were saved here become the initial values, also when the server changed their spelling', async () => {
  vi.mocked(saveTask).mockResolvedValue({
    ok: true,
    value: { version: 2, changed: true, tools: { name: null, left: 2, without: 2 } },
  })
  const { rerender, router } = showInPage(page(1, named('Notes')))
  type('Mine ')
  const note = screen.getByRole('textbox', { name: /^Note/ })
  await userEvent.type(note, 'why')
  await press('Save')
  await waitFor(() => expect(router.refresh).toHaveBeenCalled())
  expect(vi.mocked(saveTask).mock.lastCall?.[0]).toMatchObject({ version: 1, reason: 'why' })
  expect(note).toHaveValue('')
  rerender(page(2, named('Mine')))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true)
})

test('a refused save says what is wrong with each field, and asks the page who saved first', async () => {
  const fields = {
    'variables.0.name': 'Give it a name.',
    'variables.0.maxLength': 'Enter a whole number.',
  }
  vi.mocked(saveTask)
    .mockResolvedValueOnce({ ok: false, error: { code: 'invalid-input', message: '', fields } })
    .mockResolvedValueOnce({ ok: false, error: { code: 'conflict', message: 'Saved meanwhile.' } })
  const variables = [{ ...newVariable([], ''), maxLength: 'many' }]
  const { router } = showInPage(page(1, named('Notes', { variables })))
  await press('Save')
  const [, variable] = screen.getAllByRole('textbox', { name: 'Name' })
  expect(variable).toHaveFocus()
  expect(variable).toHaveAccessibleDescription('Give it a name.')
  expect(screen.getByRole('textbox', { name: /^Maximum characters/ })).toHaveAccessibleDescription(
    'Enter a whole number.',
  )
  await press('Save')
  expect(screen.getByRole('alert')).toHaveTextContent('Saved meanwhile.')
  expect(router.refresh).toHaveBeenCalledTimes(1)
})

test('variables move with what was typed into them, and keep the focus', async () => {
  const one = { ...newVariable([], 'one'), default: 'first' }
  const two = { ...newVariable([one], 'two'), default: 'second' }
  showInPage(page(1, named('Notes', { prompt: '{{one}} {{two}}', variables: [one, two] })))
  await press('Move two up')
  const defaults = screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Default/ })
  expect(defaults.map(({ value }) => value)).toEqual(['second', 'first'])
  expect(screen.getByRole('button', { name: 'Move two up' })).toHaveFocus()
  await press('Remove two')
  expect(
    screen
      .getAllByRole<HTMLInputElement>('textbox', { name: /^Default/ })
      .map(({ value }) => value),
  ).toEqual(['first'])
})

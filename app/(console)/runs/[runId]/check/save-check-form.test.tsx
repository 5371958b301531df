import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { saveAsCheck } from '@/app/(console)/runs/actions'
import type { Assertion } from '@/lib/protocol/check/assertion'
import { showInPage } from '@/tests/support/show-in-page'
import { SaveCheckForm } from './save-check-form'

vi.mock('@/app/(console)/runs/actions', () => ({ saveAsCheck: vi.fn() }))

const proposed: Assertion[] = [
  { type: 'tool-called', tool: 'fetch_logs', atLeast: 1 },
  { type: 'end-reason', reason: 'completed' },
]

beforeEach(() => {
  vi.mocked(saveAsCheck).mockReset()
  vi.mocked(saveAsCheck).mockResolvedValue({ ok: true, value: { id: 'c1' } } as never)
})

function show() {
  const shown = showInPage(
    <SaveCheckForm
      runId="run"
      name="What broke?"
      proposed={proposed}
      tools={['fetch_logs']}
      judges={[{ identifier: 'fast', name: 'Fast' }]}
      groups={[{ id: 'g1', name: 'Readers' }]}
    />,
  )
  return { ...shown, user: userEvent.setup() }
}

const save = () => screen.getByRole('button', { name: 'Save' })

test('one press saves what the run proposes, and leads to the check', async () => {
  const { user, router } = show()
  await user.click(save())
  expect(saveAsCheck).toHaveBeenCalledWith({
    runId: 'run',
    name: 'What broke?',
    description: '',
    assertions: proposed,
    tries: 1,
    passes: 1,
    groups: [],
    suites: [],
  })
  expect(router.push).toHaveBeenCalledWith('/checks/c1')
})

test('all tries must pass unless somebody says that fewer are enough', async () => {
  const { user } = show()
  const tries = screen.getByRole('textbox', { name: 'Tries' })
  await user.clear(tries)
  await user.type(tries, '3')
  expect(screen.getByRole('textbox', { name: 'Tries that must pass' })).toHaveValue('3')
  await user.clear(screen.getByRole('textbox', { name: 'Tries that must pass' }))
  await user.type(screen.getByRole('textbox', { name: 'Tries that must pass' }), '2')
  await user.click(screen.getByRole('checkbox', { name: 'Readers' }))
  await user.click(save())
  expect(vi.mocked(saveAsCheck).mock.lastCall?.[0]).toMatchObject({
    tries: 3,
    passes: 2,
    groups: ['g1'],
  })
})

test('a name that is taken is refused at the name, and what was typed stays', async () => {
  const message = 'Another check of the same author has this name.'
  vi.mocked(saveAsCheck).mockResolvedValue({
    ok: false,
    error: { code: 'conflict', message, fields: { name: message } },
  })
  const { user } = show()
  await user.click(screen.getByRole('button', { name: 'Remove assertion 2' }))
  await user.click(save())
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(message)
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  expect(screen.queryByRole('button', { name: 'Remove assertion 2' })).toBeNull()
})

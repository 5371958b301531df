import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { TaskVariable } from '@/lib/domains/tasks/shared/task-form'

vi.mock('./actions', () => ({ runSchedule: vi.fn() }))
// Another file may have loaded the form with the real actions.
vi.resetModules()
const { NewScheduleButton } = await import('./schedule-form')
const { createObject } = await import('@/app/(console)/(admin)/resource-actions')
const { showInPage } = await import('@/tests/support/show-in-page')

const variable = (name: string, more: object = {}) =>
  TaskVariable.parse({ name, label: name, type: 'text', ...more })
const choices = {
  me: { id: '01a2', email: 'ada@example.org' },
  configurations: [{ id: 'c1', name: 'Fast' }],
  tasks: [
    {
      id: 't1',
      name: 'Review',
      variables: [variable('plan'), variable('notes', { required: false })],
    },
    { id: 't2', name: 'Report', variables: [variable('tone', { default: 'dry' })] },
  ],
}

async function pick(control: string, option: string): Promise<void> {
  await userEvent.click(screen.getByRole('combobox', { name: control }))
  await userEvent.click(screen.getByRole('option', { name: option }))
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Add schedule' }))
async function fillIn(): Promise<void> {
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Weekly')
  await userEvent.type(screen.getByRole('textbox', { name: 'Times' }), '0 8 * * 1')
}
const plan = () => screen.getByRole('textbox', { name: 'plan' })

test('a task takes the place of the prompt, its values are asked for, and a missing one is said beside its field', async () => {
  const fields = { 'variables.plan': 'Enter a value.' }
  vi.mocked(createObject).mockResolvedValue({
    ok: false,
    error: { code: 'invalid-input', message: '', fields },
  })
  showInPage(<NewScheduleButton choices={choices} />)
  await press()
  await fillIn()
  expect(screen.getByRole('textbox', { name: 'Prompt' })).toBeVisible()
  await pick('Task', 'Review')
  expect(screen.queryByRole('textbox', { name: 'Prompt' })).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: /^notes/ }), 'Soon.')
  await press()
  await waitFor(() => expect(plan()).toHaveFocus())
  expect(plan()).toHaveAccessibleDescription('Enter a value.')
  expect(vi.mocked(createObject).mock.lastCall?.[1]).toMatchObject({
    taskId: 't1',
    prompt: '',
    variables: { plan: '', notes: 'Soon.' },
  })
  await userEvent.type(plan(), 'Move.')
  expect(plan()).not.toHaveAccessibleDescription()
})

test('values of another task are left out, and a prompt of its own has none', async () => {
  vi.mocked(createObject).mockResolvedValue({
    ok: false,
    error: { code: 'conflict', message: 'Not now.' },
  })
  showInPage(<NewScheduleButton choices={choices} />)
  await press()
  await fillIn()
  await pick('Task', 'Review')
  await userEvent.type(plan(), 'Move.')
  await pick('Task', 'Report')
  expect(screen.getByRole('textbox', { name: 'tone' })).toHaveValue('dry')
  await press()
  const sent = () => vi.mocked(createObject).mock.lastCall?.[1]
  expect(sent()).toMatchObject({ taskId: 't2', variables: {} })
  await pick('Task', 'None: a prompt of its own')
  await userEvent.type(screen.getByRole('textbox', { name: 'Prompt' }), 'Say hello.')
  await press()
  expect(sent()).toMatchObject({ taskId: null, variables: {}, prompt: 'Say hello.' })
})

test('usual times need no cron expression, and an expression shows which of them it is', async () => {
  vi.mocked(createObject).mockResolvedValue({ ok: true, value: { id: 's1' } })
  showInPage(<NewScheduleButton choices={choices} />)
  await press()
  const times = () => screen.getByRole('textbox', { name: 'Times' })
  await pick('Repeats', 'Weekdays')
  expect(times()).toHaveValue('0 7 * * 1-5')
  fireEvent.change(screen.getByLabelText('At'), { target: { value: '18:30' } })
  expect(times()).toHaveValue('30 18 * * 1-5')
  await pick('Repeats', 'Every day')
  expect(times()).toHaveValue('30 18 * * *')
  await userEvent.clear(times())
  await userEvent.type(times(), '*/7 * * * *')
  expect(screen.getByRole('combobox', { name: 'Repeats' })).toHaveTextContent('Other times')
  expect(screen.queryByLabelText('At')).toBeNull()
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { fork } from '@/app/(console)/runs/actions'
import { showInPage } from '@/tests/support/show-in-page'
import { type ForkFacts, ForkForm } from './fork-form'

vi.mock('@/app/(console)/runs/actions', () => ({ fork: vi.fn() }))

beforeEach(() => {
  vi.mocked(fork).mockReset()
  vi.mocked(fork).mockResolvedValue({ ok: true, value: { runId: 'new', created: true } })
})

const facts: ForkFacts = {
  round: 2,
  prompt: 'Which groups are there?',
  answer: 'I look.',
  calls: [{ callId: 'c1', name: 'list_groups', argumentsText: '{}', result: 'None.' }],
  called: [{ name: 'list_groups', writes: false }],
  others: [{ name: 'append_line', writes: true }],
}

const configurations = [{ value: 'slow', label: 'Slow' }]

async function pick(control: string, option: string) {
  await userEvent.click(screen.getByRole('combobox', { name: control }))
  await userEvent.click(screen.getByRole('option', { name: option }))
}

async function startAfter(change: () => Promise<void>) {
  showInPage(<ForkForm runId="run" facts={facts} configurations={configurations} />)
  await change()
  await userEvent.click(screen.getByRole('button', { name: 'Start run' }))
  return vi.mocked(fork).mock.lastCall?.[0]
}

test('a run goes on without a change, and with recorded results', async () => {
  expect(await startAfter(async () => undefined)).toEqual({ runId: 'run', round: 2, sources: {} })
})

test('a changed result begins with the recorded one', async () => {
  const sent = await startAfter(async () => {
    await pick('Change', 'Result of list_groups')
    const text = screen.getByRole('textbox', { name: 'New text' })
    expect(text).toHaveValue('None.')
    await userEvent.clear(text)
    await userEvent.type(text, 'One.')
  })
  expect(sent).toMatchObject({ edit: { type: 'result', callId: 'c1', text: 'One.' } })
})

test('another configuration, and other results of tools', async () => {
  const sent = await startAfter(async () => {
    await pick('Change', 'Configuration')
    await pick('Configuration', 'Slow')
    await pick('list_groups', 'A fixed text')
    await userEvent.type(screen.getByRole('textbox', { name: 'Text of list_groups' }), 'Two.')
    await userEvent.click(screen.getByText('1 other tool'))
    await pick('append_line', 'Call it (writes)')
  })
  expect(sent).toEqual({
    runId: 'run',
    round: 2,
    configuration: 'slow',
    sources: { list_groups: { type: 'fixed', content: 'Two.' }, append_line: { type: 'live' } },
  })
})

test('a refusal is shown at its field, and what was typed stays', async () => {
  vi.mocked(fork).mockResolvedValue({
    ok: false,
    error: { code: 'invalid', message: '', fields: { 'edit.text': 'Enter a JSON object.' } },
  } as never)
  await startAfter(async () => {
    await pick('Change', 'Arguments of list_groups')
    await userEvent.type(screen.getByRole('textbox', { name: 'New text' }), ' [[')
  })
  expect(await screen.findByText('Enter a JSON object.')).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'New text' })).toHaveValue('{} [')
})

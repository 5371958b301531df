import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { NewKeyForm } from './new-key-form'

type Send = Parameters<typeof NewKeyForm>[0]['send']

function show(admin: boolean, send: Send = vi.fn<Send>()) {
  const onMade = vi.fn()
  const choices = admin ? { toolGroups: ['system', 'web'], configurations: [] } : null
  showInPage(
    <NewKeyForm admin={admin} choices={choices} send={send} onMade={onMade} onClose={vi.fn()} />,
  )
  return { onMade }
}

it('offers a member what a key of theirs may do, and says what switching takes in', () => {
  show(false)
  expect(screen.getByRole('checkbox', { name: /^List and explain tools/ })).toBeVisible()
  expect(screen.queryByRole('combobox', { name: 'Tools' })).toBeNull()
  for (const scope of [/tools:write/, /budgets:read/, /budgets:write/]) {
    expect(screen.queryByRole('checkbox', { name: scope })).toBeNull()
  }
  show(true)
  const switching = screen.getByRole('checkbox', { name: /tools:write/, hidden: true })
  expect(switching).toHaveAccessibleName(
    'Switch tools and groups, freeze the site tools:write (sensitive)',
  )
})

it('brings the first thing that is wrong into focus, and keeps what was typed', async () => {
  const no = (fields: Record<string, string>) =>
    ({ ok: false, error: { code: 'invalid-input', message: 'Check it.', fields } }) as const
  const send = vi.fn<Send>()
  send
    .mockResolvedValueOnce(no({ name: 'Enter a name.', scopes: 'Pick at least one scope.' }))
    .mockResolvedValueOnce(no({ scopes: 'Pick at least one scope.' }))
    .mockResolvedValueOnce({ ok: true, value: { token: 'tg_x' } })
  const { onMade } = show(false, send)
  const name = screen.getByRole('textbox', { name: 'Purpose' })
  const create = screen.getByRole('button', { name: 'Add API key' })
  await userEvent.click(create)
  expect(name).toHaveFocus()
  expect(name).toHaveAccessibleDescription('Enter a name.')
  await userEvent.type(name, 'Nightly')
  await userEvent.click(create)
  expect(screen.getAllByRole('checkbox')[0]).toHaveFocus()
  expect(screen.getByRole('group', { name: 'Scopes' })).toHaveAccessibleDescription(
    'Pick at least one scope.',
  )
  expect(name).toHaveValue('Nightly')
  await userEvent.click(create)
  expect(onMade).toHaveBeenCalledWith('tg_x')
})

it('limits a key from its beginning', async () => {
  const send = vi.fn<Send>().mockResolvedValue({ ok: true, value: { token: 'tg_x' } })
  show(true, send)
  await userEvent.type(screen.getByRole('textbox', { name: 'Purpose' }), 'CI')
  await userEvent.click(screen.getByRole('combobox', { name: 'Tools' }))
  await userEvent.click(screen.getByRole('option', { name: 'Only some' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'web' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add API key' }))
  expect(send).toHaveBeenCalledWith({
    name: 'CI',
    scopes: ['runs:write', 'runs:read'],
    expiresInDays: 90,
    tools: [],
    toolGroups: ['web'],
    configurations: null,
  })
})

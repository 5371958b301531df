import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { removeObject } from '@/app/(console)/(admin)/resource-actions'
import { hosts } from '@/lib/domains/hosts/shape'
import { showInPage } from '@/tests/support/show-in-page'
import { resourceForm } from './resource-form'

const choices = { me: { id: 'u1', email: 'ada@example.org' } }
const host = {
  id: 'h1',
  name: 'https://example.org',
  privateAddressAllowed: false,
  note: null,
  enabled: true,
  createdByLabel: 'ada@example.org',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
const { NewButton, Actions } = resourceForm(
  hosts,
  { description: 'Tools read it.', removal: 'Tools read nothing there.' },
  ({ object: { name } }) => <p>Further buttons of {name}</p>,
)

async function openDeletion() {
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }))
  return screen.findByRole('dialog')
}

test('the buttons of an object stand after further ones, and a deletion names the noun to the server', async () => {
  vi.mocked(removeObject).mockResolvedValue({ ok: true, value: undefined })
  showInPage(<Actions object={host} choices={choices} />)
  expect(screen.getByText('Further buttons of https://example.org')).toBeVisible()
  const dialog = await openDeletion()
  expect(dialog).toHaveAccessibleDescription('Tools read nothing there.')
  await userEvent.click(within(dialog).getByRole('button', { name: /^Delete https/ }))
  await waitFor(() => expect(removeObject).toHaveBeenCalledWith('host', { id: 'h1', reason: '' }))
})

test('a page says what a deletion does where that depends on the object', async () => {
  showInPage(<Actions object={host} choices={choices} removal="Nobody used it." />)
  expect(await openDeletion()).toHaveAccessibleDescription('Nobody used it.')
})

test('the button that adds one is named after the noun', () => {
  showInPage(<NewButton choices={choices} />)
  expect(screen.getByRole('button', { name: 'Add host' })).toBeVisible()
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { createObject } from '@/app/(console)/(admin)/resource-actions'
import { showInPage } from '@/tests/support/show-in-page'
import { AddServer } from './add-server'

const dialog = () => within(screen.getByRole('dialog'))
const me = { id: 'me', email: 'me@example.org' }

/** Opens the list and picks this server. Returns where the page leads. */
async function pick(title: string) {
  const { router } = showInPage(<AddServer choices={{ me }} />)
  await userEvent.click(screen.getByRole('button', { name: 'Pick a known server' }))
  await userEvent.type(dialog().getByLabelText('Search known servers'), title)
  await userEvent.click(dialog().getByRole('button', { name: `Pick ${title}` }))
  return router
}

const send = () => userEvent.click(dialog().getByRole('button', { name: 'Add server' }))

test('picking one fills in the form, and nothing is sent before its key is there', async () => {
  const router = await pick('GitHub')
  expect(dialog().getByLabelText('Name')).toHaveValue('github')
  expect(dialog().getByLabelText('Address')).toHaveValue('https://api.githubcopilot.com/mcp/')
  const headers = dialog().getByLabelText(/^Headers/)
  expect(headers).toHaveValue('Authorization: Bearer ')
  expect(dialog().getByText(/You still enter: Authorization, a personal/)).toBeVisible()

  await send()
  await waitFor(() => expect(headers).toBeInvalid())
  expect(headers).toHaveAccessibleDescription(
    expect.stringContaining('Authorization has no value yet.'),
  )
  expect(createObject).not.toHaveBeenCalled()

  vi.mocked(createObject).mockResolvedValue({ ok: true, value: { id: 'new' } })
  await userEvent.type(headers, 'a-token')
  await send()
  await waitFor(() => expect(router.push).toHaveBeenCalledWith('/servers/new'))
  expect(createObject).toHaveBeenCalledWith(
    'server',
    expect.objectContaining({
      name: 'github',
      kind: 'http',
      headers: 'Authorization: Bearer a-token',
    }),
  )
})

test('a program that works on a folder is asked for the folder', async () => {
  await pick('Filesystem')
  const command = dialog().getByLabelText('Command')
  expect(command).toHaveValue('npx -y @modelcontextprotocol/server-filesystem ')
  await send()
  await waitFor(() => expect(command).toBeInvalid())
  expect(createObject).not.toHaveBeenCalled()
})

test('a search without a match says so', async () => {
  showInPage(<AddServer choices={{ me }} />)
  await userEvent.click(screen.getByRole('button', { name: 'Pick a known server' }))
  await userEvent.type(dialog().getByLabelText('Search known servers'), 'no such server')
  expect(dialog().getByText('No matches')).toBeVisible()
  expect(dialog().queryAllByRole('listitem')).toEqual([])
})

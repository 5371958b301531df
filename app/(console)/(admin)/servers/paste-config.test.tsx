import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { addConfiguredServers } from './actions'
import { AddServer } from './add-server'

vi.mock('./actions', () => ({ addConfiguredServers: vi.fn() }))
beforeEach(() => vi.mocked(addConfiguredServers).mockReset())

const dialog = () => within(screen.getByRole('dialog'))
const add = () => dialog().getByRole('button', { name: /^Add / })

/** Opens the dialog and pastes this text. Returns where the page leads. */
async function paste(text: string) {
  const { router } = showInPage(
    <AddServer choices={{ me: { id: 'me', email: 'me@example.org' } }} />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Paste an mcp.json' }))
  fireEvent.change(dialog().getByLabelText('Text of the file'), { target: { value: text } })
  return router
}

const config = (mcpServers: object) => JSON.stringify({ mcpServers })
const files = { command: 'npx', args: ['-y', 'server-filesystem', '/srv/my docs'] }
const entry = (name: string) => within(dialog().getByText(name).closest('li') ?? document.body)

test.each([
  ['{"mcpServers": {', 'This is not JSON.'],
  ['{"name": "files"}', 'There are no servers in it'],
  [config({}), 'There are no servers in it.'],
])(
  'a text without servers is named beside the field, and nothing can be added: %s',
  async (text, words) => {
    await paste(text)
    const field = dialog().getByLabelText('Text of the file')
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription(expect.stringContaining(words))
    expect(add()).toBeDisabled()
    expect(add()).toHaveAccessibleName('Add servers')
  },
)

test('the servers in the text are shown before any is added, with the problem of each', async () => {
  await paste(
    config({
      files,
      'Issue Tracker': {
        url: 'https://tracker.example.com/mcp',
        headers: { Authorization: 'Bearer \u0024{input:token}' },
      },
      empty: {},
    }),
  )
  expect(entry('files').getByText("npx -y server-filesystem '/srv/my docs'")).toBeVisible()
  const tracker = entry('issue-tracker')
  expect(tracker.getByText('https://tracker.example.com/mcp')).toBeVisible()
  expect(tracker.getByText(/^It needs values for \$\{input:token\}/)).toBeVisible()
  expect(entry('empty').getByText('It has neither an address nor a command.')).toBeVisible()
  expect(add()).toHaveAccessibleName('Add 1 server')
  expect(addConfiguredServers).not.toHaveBeenCalled()
})

test('the pasted text is what is added, and the page of a single server opens', async () => {
  const added = { name: 'files', id: 'f1', problem: null, notes: [] }
  vi.mocked(addConfiguredServers).mockResolvedValue({ ok: true, value: [added] })
  const text = config({ files })
  const router = await paste(text)
  await userEvent.click(add())
  await waitFor(() => expect(router.push).toHaveBeenCalledWith('/servers/f1'))
  expect(addConfiguredServers).toHaveBeenCalledExactlyOnceWith({ text })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('each of several servers that were added leads to connecting and reviewing it', async () => {
  vi.mocked(addConfiguredServers).mockResolvedValue({
    ok: true,
    value: [
      { name: 'files', id: 'f1', problem: null, notes: [] },
      { name: 'other', id: 'o1', problem: null, notes: [] },
    ],
  })
  await paste(config({ files, other: files }))
  await userEvent.click(add())
  const next = (name: string) => dialog().findByRole('link', { name: `Connect and review ${name}` })
  expect(await next('files')).toHaveAttribute('href', '/servers/f1')
  expect(await next('other')).toHaveAttribute('href', '/servers/o1')
  expect(dialog().queryByLabelText('Text of the file')).toBeNull()
  await userEvent.click(dialog().getByRole('button', { name: 'Later' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a server that the site refuses is named, and the text stays', async () => {
  vi.mocked(addConfiguredServers).mockResolvedValue({
    ok: true,
    value: [
      { name: 'files', id: 'f1', problem: null, notes: [] },
      { name: 'other', id: null, problem: 'Another server has this name.', notes: [] },
    ],
  })
  const router = await paste(config({ files, other: files }))
  expect(add()).toHaveAccessibleName('Add 2 servers')
  await userEvent.click(add())
  expect(await dialog().findByText('other: Another server has this name.')).toBeVisible()
  expect(dialog().getByRole('link', { name: 'Connect and review files' })).toBeVisible()
  expect(dialog().getByLabelText('Text of the file')).toBeVisible()
  expect(router.refresh).toHaveBeenCalled()
  expect(router.push).not.toHaveBeenCalled()
})

test('hostile names, commands and addresses are text', async () => {
  const hostile = '<img src=x onerror="window.pwned=1">'
  await paste(
    config({
      [hostile]: { command: hostile, args: ['\u202Eevil'] },
      [`${hostile} 2`]: { url: `javascript:${hostile}` },
    }),
  )
  expect(screen.getByRole('dialog').querySelector('img, a')).toBeNull()
  expect(dialog().getByText('img-src-x-onerror-window')).toBeVisible()
  const [command] = dialog().getAllByRole('listitem')
  expect(command).toHaveTextContent(`'${hostile}'`)
  expect(command).toHaveTextContent('U+202E')
})

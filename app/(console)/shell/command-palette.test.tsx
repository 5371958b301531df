import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { QueryProvider } from '@/components/shell/queries'
import { ToastProvider } from '@/components/ui/toast'
import type { PaletteAnswer } from '@/lib/doors/palette/search-console'
import { toListing } from '@/lib/toolset/tools/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { CommandPalette } from './command-palette'

const nothing: PaletteAnswer = { found: [], runnable: [], tools: [] }
const run = { id: 'r1', title: 'Count the \u202ecranes <b>now</b>', hint: 'Demo', href: '/runs/r1' }
const found: PaletteAnswer = {
  found: [{ kind: 'run', hits: [run], more: true }],
  runnable: [
    { id: 't1', title: 'Crane report', hint: 'crane-report', href: '/playground?task=t1' },
  ],
  tools: [],
}
/** The server's answers, in the order of the queries. */
let server = vi.fn<(query: string) => Promise<Response>>()
const request = () => server.mock.calls.map(([query]) => query)

beforeEach(() => {
  server = vi.fn(async () => Response.json(nothing))
  vi.stubGlobal('fetch', (address: string) =>
    server(new URL(address, 'http://localhost').searchParams.get('q') ?? ''),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function Form() {
  useUnsavedGuard(true)
  return <input aria-label="Name" />
}

const toolActions = { setTool: vi.fn(), resetToolToDefault: vi.fn() }

function show(role: 'admin' | 'member', frozen = false) {
  const push = vi.fn()
  const router = { push } satisfies Partial<AppRouterInstance>
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <ToastProvider>
        <CommandPalette role={role} frozen={frozen} toolActions={toolActions} />
        <Form />
      </ToastProvider>
    </AppRouterContext>,
    { wrapper: QueryProvider },
  )
  return push
}

const open = () => userEvent.keyboard('{Control>}k{/Control}')

it('asks before it leaves what was typed, and gives the focus back there', async () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const push = show('member')
  const field = screen.getByRole('textbox', { name: 'Name' })
  const goToRuns = async () => {
    await userEvent.click(field)
    await open()
    await userEvent.click(await screen.findByRole('option', { name: /^Runs/ }))
  }
  await goToRuns()
  expect(push).not.toHaveBeenCalled()
  await waitFor(() => expect(field).toHaveFocus())
  answer.mockReturnValue(true)
  await goToRuns()
  expect(push).toHaveBeenCalledWith('/runs')
})

it('asks the server once for what was typed, and shows what it found as text', async () => {
  vi.spyOn(window, 'confirm').mockReturnValue(true)
  server.mockImplementation(async (query) => Response.json(query === 'crane' ? found : nothing))
  const push = show('member')
  await open()
  await userEvent.paste('crane')
  const group = await screen.findByRole('group', { name: 'Runs' })
  expect(request()).toEqual(['', 'crane'])
  const [hit, more] = within(group).getAllByRole('option')
  expect(hit).toHaveTextContent('Count the U+202Ecranes <b>now</b>')
  expect(more).toHaveTextContent('More under Runs…')
  expect(screen.getByRole('option', { name: /^Run Crane report/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(push).toHaveBeenCalledWith('/runs/r1')
})

it('says that it searches, that nothing matches, and why it could not search', async () => {
  let answer = (_: Response) => {}
  server.mockImplementation((query) =>
    query === ''
      ? Promise.resolve(Response.json(nothing))
      : new Promise((resolve) => (answer = resolve)),
  )
  show('member')
  await open()
  await userEvent.paste('zzz')
  expect(await screen.findByText('Searching…')).toBeVisible()
  expect(screen.queryByText('No matches')).toBeNull()
  await waitFor(() => expect(request()).toEqual(['', 'zzz']))
  answer(Response.json({ detail: 'The database is away.' }, { status: 503 }))
  expect(await screen.findByText('The database is away.')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(request()).toEqual(['', 'zzz', 'zzz']))
  answer(Response.json(nothing))
  expect(await screen.findByText('No matches')).toBeVisible()
})

it('goes to a tool by its name, and switches it only when that was typed', async () => {
  const tool = toListing(testTool('get_env', { group: 'system' }))
  server.mockImplementation(async () => Response.json({ ...nothing, tools: [tool] }))
  show('admin')
  await open()
  const first = async () => (await screen.findAllByRole('option', { name: /get_env/ }))[0]
  await userEvent.paste('get_env')
  expect(await first()).toHaveTextContent(/^get_env/)
  await userEvent.clear(screen.getByRole('combobox'))
  await userEvent.paste('switch off get_env')
  expect(await first()).toHaveTextContent(/^Switch off get_env/)
})

it('finds single settings and, for admins, freezes or unfreezes the site', async () => {
  show('admin', true)
  await open()
  await userEvent.keyboard('webhook')
  expect(await screen.findByRole('option', { name: /^Budget alerts/ })).toBeVisible()
  await userEvent.clear(screen.getByRole('combobox'))
  await userEvent.keyboard('unfreeze{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Unfreeze this site' })).toBeVisible()
})

it('offers members neither the settings nor the freeze of the site', async () => {
  show('member')
  await open()
  await userEvent.keyboard('webhook')
  expect(await screen.findByText('No matches')).toBeVisible()
  await userEvent.clear(screen.getByRole('combobox'))
  await userEvent.keyboard('freeze')
  expect(await screen.findByText('No matches')).toBeVisible()
})

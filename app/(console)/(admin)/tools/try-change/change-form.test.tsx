import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { ChangeForm } from './change-form'

const fetched = vi.fn<(url: string, init: { body: string }) => Promise<Response>>()
beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

const events = (...sent: object[]) =>
  new Response(sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
const trial = {
  found: 2,
  replayed: 2,
  changed: 0,
  noted: 0,
  changedToday: 0,
  baseline: 0,
  waysOut: [],
  unreplayable: [],
  runs: [],
}
const text = () => screen.getByRole('textbox', { name: 'Change' })
const press = () => userEvent.click(screen.getByRole('button', { name: 'Test on past runs' }))
const show = () =>
  showInPage(<ChangeForm configurations={[{ id: 'c1', name: 'Support' }]} groups={[]} />)

test('an error of the file stands at the field, which gets the focus, until it is changed', async () => {
  const fields = { file: 'tools 1, name: There is no tool list_user.' }
  const error = { code: 'invalid-input', message: 'Invalid', fields }
  fetched.mockResolvedValue(events({ type: 'failed', error }))
  show()
  await userEvent.type(text(), 'toolgate: 2')
  await press()
  await waitFor(() => expect(text()).toHaveAccessibleDescription(/There is no tool list_user/))
  expect(text()).toHaveFocus()
  expect(text()).toBeInvalid()
  await userEvent.type(text(), ' ')
  expect(text()).toBeValid()
})

test('sends the file, and what narrows the runs; a result refreshes the list of those that are kept', async () => {
  fetched.mockResolvedValue(events({ type: 'outcome', trial }))
  const { router } = show()
  await userEvent.type(text(), 'toolgate: 2')
  await userEvent.click(screen.getByRole('combobox', { name: 'Configuration' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Support' }))
  await press()
  await waitFor(() => expect(router.refresh).toHaveBeenCalledOnce())
  const [url, { body } = { body: '' }] = fetched.mock.calls[0] ?? []
  expect(url).toBe('/api/policy/try')
  expect(JSON.parse(body)).toEqual({
    of: 'file',
    file: 'toolgate: 2',
    days: 30,
    configuration: 'c1',
    group: null,
  })
  expect(await screen.findByText(/^0 of 2 runs of the last 30 days/)).toBeVisible()
})

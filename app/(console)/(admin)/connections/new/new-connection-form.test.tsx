import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { connectionPresets } from '@/lib/domains/connections/presets'
import { showInPage } from '@/tests/support/show-in-page'
import { addConnection, checkZone, testDraft, testStored } from '../actions'
import { NewConnectionForm } from './new-connection-form'

vi.mock('../actions', () => ({
  addConnection: vi.fn(),
  checkZone: vi.fn(),
  testDraft: vi.fn(),
  testStored: vi.fn(),
}))

beforeEach(() => {
  vi.mocked(checkZone).mockReset().mockResolvedValue({ ok: true, value: null })
  vi.mocked(addConnection).mockReset()
  vi.mocked(testStored).mockReset()
})

const show = (id: string) =>
  showInPage(
    <NewConnectionForm preset={connectionPresets.find((each) => each.id === id) ?? null} />,
  )
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const field = (name: string | RegExp) => screen.getByLabelText(name)
const type = (name: string | RegExp, value: string) =>
  fireEvent.change(field(name), { target: { value } })
const pick = async (name: string, option: string) => {
  fireEvent.keyDown(screen.getByRole('combobox', { name }), { key: 'Enter' })
  fireEvent.keyDown(await screen.findByRole('option', { name: option }), { key: 'Enter' })
}
const tested = { ok: true, value: { outcome: 'ok', message: 'Fine.' } } as Awaited<
  ReturnType<typeof testStored>
>

test('names everything that is missing at once, and asks for what each way to sign in needs', async () => {
  show('bedrock')
  await press('Add connection')
  expect(await screen.findByText('Enter the region.')).toBeVisible()
  expect(screen.getByText('Enter the access key id.')).toBeVisible()
  expect(field('Region')).toHaveFocus()
  type('Region', 'eu-central-1')
  await pick('Authentication', 'Role of this server (environment)')
  expect(screen.queryByLabelText('Access key id')).toBeNull()
  await pick('Authentication', 'Access key')
  type('Access key id', 'AKIDEXAMPLE012345')
  type('Secret access key', 'secret')
  expect(addConnection).not.toHaveBeenCalled()
  vi.mocked(addConnection).mockResolvedValue({ ok: true, value: { id: 'c1' } })
  vi.mocked(testStored).mockResolvedValue(tested)
  await press('Add connection')
  await waitFor(() => expect(addConnection).toHaveBeenCalledTimes(1))
  expect(vi.mocked(addConnection).mock.lastCall?.[0]).toMatchObject({
    wire: 'bedrock',
    settings: {
      region: 'eu-central-1',
      authentication: 'key',
      accessKeyId: 'AKIDEXAMPLE012345',
    },
    apiKey: 'secret',
  })
})

test('a public address is trusted as one’s own network only after it was typed, with a reason', async () => {
  vi.mocked(checkZone).mockResolvedValue({ ok: true, value: 'llm.example.org' })
  vi.mocked(addConnection).mockResolvedValue({ ok: true, value: { id: 'c1' } })
  vi.mocked(testStored).mockResolvedValue(tested)
  show('vllm')
  type('Base URL', 'https://llm.example.org/v1')
  await press('Add connection')
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('llm.example.org is a public address')
  const submit = dialog.querySelector<HTMLElement>('[type=submit]')
  await userEvent.click(submit as HTMLElement)
  expect(field('Type llm.example.org to confirm')).toHaveAccessibleDescription(
    'Type llm.example.org to confirm.',
  )
  expect(addConnection).not.toHaveBeenCalled()
  type('Type llm.example.org to confirm', 'LLM.example.org')
  type(/^Reason/, 'It is ours.')
  await userEvent.click(submit as HTMLElement)
  await waitFor(() => expect(addConnection).toHaveBeenCalledTimes(1))
  expect(vi.mocked(addConnection).mock.lastCall?.[0]).toMatchObject({
    baseUrl: 'https://llm.example.org/v1',
    reason: 'It is ours.',
    confirmZone: 'LLM.example.org',
  })
})

test('a test of the draft says what is wrong with its fields, and goes to the first', async () => {
  const fields = {
    baseUrl: 'Enter an address.',
    'headers.host': 'host: This header cannot be set.',
  }
  vi.mocked(testDraft).mockResolvedValue({
    ok: false,
    error: { code: 'invalid-input', message: '', fields },
  })
  show('vllm')
  await press('Test')
  expect(field('Base URL')).toHaveFocus()
  expect(field('Base URL')).toHaveAccessibleDescription(/Enter an address\./)
  expect(screen.getByText('host: This header cannot be set.')).toBeVisible()
})

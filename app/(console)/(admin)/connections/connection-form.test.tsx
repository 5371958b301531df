import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Form, SubmitButton } from '@/components/forms/form'
import {
  type ConnectionDraft,
  draftOfPreset,
  emptyDraft,
  toNewConnection,
} from '@/components/nouns/connection-draft'
import { ConnectionFields } from '@/components/nouns/connection-fields'
import { connectionPresets } from '@/lib/domains/connections/presets'
import { showInPage } from '@/tests/support/show-in-page'
import { useConnectionForm } from './connection-form'

vi.mock('./actions', () => ({}))

let sent: ReturnType<typeof toNewConnection> | undefined

function Connection({ first }: { first: ConnectionDraft }) {
  const fields = { 'settings.project': 'Enter the project.' }
  const { form, draft } = useConnectionForm({
    initial: first,
    send: async () => ({ ok: false, error: { code: 'invalid-input', message: '', fields } }),
  })
  sent = toNewConnection(draft)
  return (
    <Form form={form} label="Connection">
      <ConnectionFields draft={draft} />
      <SubmitButton>Save</SubmitButton>
    </Form>
  )
}
const field = (name: RegExp) => screen.getByRole('textbox', { name })

test('Vertex AI asks for project and location, and shows where its requests go', async () => {
  const preset = connectionPresets.find(({ id }) => id === 'vertex')
  showInPage(<Connection first={preset ? draftOfPreset(preset) : emptyDraft} />)
  expect(screen.getByRole('combobox', { name: 'Authentication' })).toHaveTextContent(
    'Service account (Vertex AI)',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(field(/^Project$/)).toHaveAccessibleDescription(/Enter the project\./)
  expect(field(/^Project$/)).toHaveFocus()
  expect(field(/^Sign-in address ?\(optional\)$/)).toHaveValue('')
  const address = field(/^Base URL ?\(optional\)$/)
  expect(address).toHaveAttribute('placeholder', 'https://aiplatform.googleapis.com')
  fireEvent.change(field(/^Location$/), { target: { value: 'europe-west4' } })
  expect(address).toHaveAttribute('placeholder', 'https://europe-west4-aiplatform.googleapis.com')
  expect(sent?.settings).toMatchObject({ location: 'europe-west4' })
  fireEvent.change(field(/^Location$/), { target: { value: 'europe-' } })
  expect(field(/^Base URL ?\(optional\)$/)).toHaveAccessibleDescription('Leave empty for Google.')
})

test('a base URL that was pasted with the path of a request says what is left out', () => {
  showInPage(<Connection first={{ ...emptyDraft, wire: 'openai-compatible' }} />)
  const address = field(/^Base URL/)
  fireEvent.change(address, { target: { value: 'https://api.example.org/v1/models' } })
  expect(address).toHaveAccessibleDescription(/Without "\/models" at its end/)
})

test('the Gemini API asks for neither', () => {
  showInPage(<Connection first={{ ...emptyDraft, wire: 'gemini' }} />)
  expect(screen.queryByRole('textbox', { name: /Project|Location|Sign-in/ })).toBeNull()
  expect(field(/^Base URL ?\(optional\)$/)).toHaveAttribute(
    'placeholder',
    'https://generativelanguage.googleapis.com',
  )
})

test('each API type keeps its own settings, also where two have one of the same name', async () => {
  const azure = {
    ...emptyDraft,
    wire: 'azure-openai',
    settings: { authentication: 'entra' },
  } as const
  showInPage(<Connection first={azure} />)
  const choose = async (field: string, option: RegExp) => {
    fireEvent.keyDown(screen.getByRole('combobox', { name: field }), { key: 'Enter' })
    fireEvent.keyDown(await screen.findByRole('option', { name: option }), { key: 'Enter' })
  }
  const before = screen.getByRole('combobox', { name: 'Authentication' }).textContent
  await choose('API type', /^Google Gemini/)
  expect(screen.getByRole('combobox', { name: 'Authentication' })).not.toHaveTextContent(
    before ?? '',
  )
  await choose('API type', /^Azure/)
  expect(screen.getByRole('combobox', { name: 'Authentication' })).toHaveTextContent(before ?? '')
})

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { defaultSettings, type SiteSettings, settingNames } from '@/lib/domains/settings/shape'
import { showInPage } from '@/tests/support/show-in-page'
import { saveSettings } from './actions'
import { SettingFields, SettingsForm } from './settings-form'

vi.mock('./actions', () => ({ saveSettings: vi.fn() }))

beforeEach(() => {
  vi.mocked(saveSettings).mockReset()
})

const form = (settings: SiteSettings) => (
  <main id="content" tabIndex={-1}>
    <SettingsForm settings={settings}>
      <SettingFields names={settingNames} />
    </SettingsForm>
  </main>
)

const field = (name: string | RegExp) => screen.getByRole('textbox', { name })
const bar = () => screen.queryByRole('region', { name: 'Unsaved changes' })

async function type(name: string, text: string) {
  await userEvent.clear(field(name))
  await userEvent.type(field(name), text)
}

const rounds = 'Maximum rounds of a run'
const idle = 'Sign out after no activity for'

test('sends what was changed alone, in one change with one reason, based on what was shown', async () => {
  const saved = { ...defaultSettings, maxRounds: 120, sessionIdleMs: 5_400_000 }
  vi.mocked(saveSettings).mockResolvedValue({ ok: true, value: saved })
  showInPage(form(defaultSettings))
  expect(bar()).toBeNull()
  expect(field(idle)).toHaveValue('8')
  await type(idle, '1.5')
  await type(rounds, '120')
  expect(screen.getByText('Changed. Saved value: 50')).toBeInTheDocument()
  expect(screen.getByText('Changed. Saved value: 8 hours')).toBeInTheDocument()
  expect(bar()).toHaveTextContent('2 changes')
  await userEvent.type(field(/^Reason/), 'A long lunch')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(saveSettings).toHaveBeenCalledWith({
      sessionIdleMs: 5_400_000,
      maxRounds: 120,
      reason: 'A long lunch',
      expected: { sessionIdleMs: 28_800_000, maxRounds: 50 },
    }),
  )
  await waitFor(() => expect(bar()).toBeNull())
  expect(screen.getByRole('main')).toHaveFocus()
  expect(field(rounds)).toHaveValue('120')
  expect(screen.queryByText(/^Changed\./)).toBeNull()
})

test('a refusal loses nothing, stands beside its field, and the changes can be dropped', async () => {
  const message = 'At most 200 rounds.'
  vi.mocked(saveSettings).mockResolvedValue({
    ok: false,
    error: { code: 'invalid-input', message, fields: { maxRounds: message } },
  })
  showInPage(form(defaultSettings))
  await type(rounds, '900')
  await type('Runs at once', '300')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(field(rounds)).toHaveFocus())
  expect(field(rounds)).toHaveAccessibleDescription(expect.stringContaining(message))
  expect(field('Runs at once')).toHaveValue('300')
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(field(rounds)).toHaveValue('50')
  expect(field('Runs at once')).toHaveValue('256')
  expect(bar()).toBeNull()
})

test('changes of somebody else are taken over, and a field that both changed asks which value to keep', async () => {
  const { rerender } = showInPage(form(defaultSettings))
  await type(rounds, '120')
  rerender(form({ ...defaultSettings, siteRuns: 99 }))
  expect(field('Runs at once')).toHaveValue('99')
  expect(field(rounds)).toHaveValue('120')
  expect(bar()).toHaveTextContent('1 change')
  expect(screen.queryByRole('alert')).toBeNull()

  rerender(form({ ...defaultSettings, siteRuns: 99, maxRounds: 70 }))
  expect(screen.getByRole('alert')).toHaveTextContent('Maximum rounds of a run: 70')
  expect(field(rounds)).toHaveValue('120')
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText('Changed. Saved value: 70')).toBeInTheDocument()

  rerender(form({ ...defaultSettings, siteRuns: 99, maxRounds: 80 }))
  await userEvent.click(screen.getByRole('button', { name: 'Load the saved values' }))
  expect(field(rounds)).toHaveValue('80')
  expect(bar()).toBeNull()
})

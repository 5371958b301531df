import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { defaultSettings } from '@/lib/domains/settings/shape'
import { showInPage } from '@/tests/support/show-in-page'
import { saveSettings } from './actions'
import { SettingsForm } from './setting-forms'

vi.mock('./actions', () => ({ saveSettings: vi.fn() }))

test('sends the settings that it shows, times in milliseconds, and no others', async () => {
  vi.mocked(saveSettings).mockResolvedValue({ ok: true, value: defaultSettings })
  showInPage(
    <SettingsForm
      names={['secondFactorFor', 'sessionIdleMs']}
      settings={defaultSettings}
      done="Saved"
      failed="Not saved"
    />,
  )
  expect(screen.queryByLabelText('How long a call waits')).toBeNull()
  const amount = screen.getByRole('textbox', { name: 'Sign out after no activity for' })
  expect(amount).toHaveValue('8')
  await userEvent.clear(amount)
  await userEvent.type(amount, '1.5')
  await userEvent.type(screen.getByRole('textbox', { name: /^Reason/ }), 'A long lunch')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const sent = { secondFactorFor: 'none', sessionIdleMs: 5_400_000, reason: 'A long lunch' }
  await waitFor(() => expect(saveSettings).toHaveBeenCalledWith(sent))
})

test('sends a number as a number', async () => {
  vi.mocked(saveSettings).mockResolvedValue({ ok: true, value: defaultSettings })
  showInPage(
    <SettingsForm names={['maxRounds']} settings={defaultSettings} done="Saved" failed="Not" />,
  )
  const field = screen.getByRole('textbox', { name: 'Maximum rounds of a run' })
  expect(field).toHaveValue('50')
  await userEvent.clear(field)
  await userEvent.type(field, '120')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saveSettings).toHaveBeenCalledWith({ maxRounds: 120, reason: '' }))
})

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { OneTimeLinkDialog } from './shown-once-dialog'

it('shows the address of the site, and goes away by Done alone', async () => {
  const onClose = vi.fn()
  const address = 'https://toolgate.example.org/invite/abc'
  const link = { token: 'abc', address, expiresAt: '2026-11-29T00:00:00Z' }
  render(
    <ToastProvider>
      <OneTimeLinkDialog
        title="Ina is invited"
        link={{ ...link, purpose: 'invite' }}
        name="Ina"
        onClose={onClose}
      />
    </ToastProvider>,
  )
  expect(screen.getByRole('textbox', { name: 'One-time link' })).toHaveValue(address)
  await userEvent.keyboard('{Escape}')
  const beside = document.querySelector('.bg-black\\/40')
  if (!beside) throw new Error('There is nothing beside the dialog.')
  await userEvent.setup({ pointerEventsCheck: 0 }).click(beside)
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByRole('dialog', { name: 'Ina is invited' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(onClose).toHaveBeenCalledTimes(1)
})

import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { FreezeBar } from './freeze-bar'

it('announces that the site is frozen, and not how long ago that was each time it changes', () => {
  const freeze = { by: 'ada@example.org', reason: 'Leak', at: '2026-11-22T08:00:00.000Z' }
  const shown = { freeze, role: 'member' } as const
  render(
    <ToastProvider>
      <FreezeBar {...shown} />
    </ToastProvider>,
  )
  const bar = screen.getByRole('region', { name: 'Site freeze' })
  expect(bar).toHaveTextContent('ada@example.org stopped everything')
  expect(screen.getByRole('alert')).toHaveTextContent(/^This site is frozen.$/)
})

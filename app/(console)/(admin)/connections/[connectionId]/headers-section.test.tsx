import { fireEvent, render, screen, within } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, test, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { StoredHeaders } from './headers-section'

test('a header is removed only after a question', async () => {
  const remove = vi.fn(async () => ({ ok: true, value: null }) as const)
  const router: Partial<AppRouterInstance> = { refresh: vi.fn() }
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <ToastProvider>
        <StoredHeaders names={['x-team', 'x-key']} remove={remove} />
      </ToastProvider>
    </AppRouterContext>,
  )
  fireEvent.click(screen.getByRole('button', { name: /^Remove… ?x-team/ }))
  expect(remove).not.toHaveBeenCalled()
  const dialog = within(screen.getByRole('dialog', { name: 'Remove x-team' }))
  fireEvent.change(dialog.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'Moved' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Remove x-team' }))
  expect(await screen.findByText('Removed x-team')).toBeVisible()
  expect(remove.mock.calls).toEqual([['x-team', 'Moved']])
})

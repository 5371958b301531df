import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { ToastProvider } from '@/components/ui/toast'
import { CommandPalette } from './command-palette'

function Form() {
  useUnsavedGuard(true)
  return <input aria-label="Name" />
}

it('asks before it leaves what was typed, and gives the focus back there', async () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const push = vi.fn()
  const router = { push } satisfies Partial<AppRouterInstance>
  const member = { role: 'member' } as const
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <ToastProvider>
        <CommandPalette {...member} />
        <Form />
      </ToastProvider>
    </AppRouterContext>,
  )
  const field = screen.getByRole('textbox', { name: 'Name' })
  const goToRuns = async () => {
    await userEvent.click(field)
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.click(await screen.findByRole('option', { name: /^Runs/ }))
  }
  await goToRuns()
  expect(push).not.toHaveBeenCalled()
  await waitFor(() => expect(field).toHaveFocus())
  answer.mockReturnValue(true)
  await goToRuns()
  expect(push).toHaveBeenCalledWith('/runs')
})

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { ToastProvider } from '@/components/ui/toast'
import { admin } from '@/tests/support/run-fixture'
import { AccountMenu } from './account-menu'

function Form() {
  useUnsavedGuard(true)
  return null
}

it('asks before it takes away what was typed on the page', async () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const push = vi.fn()
  const router = { push } satisfies Partial<AppRouterInstance>
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <ToastProvider>
        <AccountMenu actor={admin} name="Ada" />
        <Form />
      </ToastProvider>
    </AppRouterContext>,
  )
  const goThere = async () => {
    screen.getByRole('button', { name: /^Account/ }).focus()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Your account' }))
  }
  await goThere()
  expect(push).not.toHaveBeenCalled()
  answer.mockReturnValue(true)
  await goThere()
  expect(push).toHaveBeenCalledWith('/account')
})

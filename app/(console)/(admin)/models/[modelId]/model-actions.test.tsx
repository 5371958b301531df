import { render, screen } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, test } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { ModelActions } from './model-actions'

const remove = (users: number) => {
  render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <ToastProvider>
        <ModelActions modelId="m" name="Small" enabled users={users} offWords="" />
      </ToastProvider>
    </AppRouterContext>,
  )
  return screen.getByRole('button', { name: 'Delete' })
}

test('what is in use cannot be deleted, and says why', () => {
  const button = remove(2)
  expect(button).toBeDisabled()
  expect(button).toHaveAccessibleDescription('2 configurations have it: it cannot be deleted.')
})

test('an unused one can be deleted', () => {
  expect(remove(0)).toBeEnabled()
})

import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { QueryProvider } from '@/components/shell/queries'
import { ToastProvider } from '@/components/ui/toast'
import { CommandPalette } from './command-palette'

const code = vi.hoisted(() => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
})
vi.mock('./palette-dialog', async (original) => {
  await code.promise
  return original()
})

it('takes what is typed from the first key on, also while its code is loaded', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ found: [], runnable: [], tools: [] }))
  const toolActions = { setTool: vi.fn(), resetToolToDefault: vi.fn() }
  const site = { role: 'member' as const, frozen: false, toolActions }
  render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <ToastProvider>
        <CommandPalette {...site} />
        <input aria-label="Name" />
      </ToastProvider>
    </AppRouterContext>,
    { wrapper: QueryProvider },
  )
  const field = screen.getByRole('textbox', { name: 'Name' })
  await userEvent.click(field)
  fireEvent.keyDown(field, { key: 'k', ctrlKey: true })
  await userEvent.keyboard('crx{Backspace}ane')
  expect(screen.queryByRole('combobox')).toBeNull()
  await act(async () => code.resolve())
  expect(await screen.findByRole('combobox')).toHaveValue('crane')
  expect(field).toHaveValue('')
  await userEvent.keyboard('s')
  expect(screen.getByRole('combobox')).toHaveValue('cranes')
})

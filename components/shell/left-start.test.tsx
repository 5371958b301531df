import { render, screen } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { beforeEach, expect, it, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { LeftStart } from './left-start'
import { noteStart, sentStart } from './sent-start'

beforeEach(() => sessionStorage.clear())

function show(answers: boolean[]) {
  const find = vi.fn(async () => ({ ok: true as const, value: answers.shift() ?? false }))
  const router = { push: vi.fn() } satisfies Partial<AppRouterInstance>
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <ToastProvider>
        <LeftStart find={find} />
      </ToastProvider>
    </AppRouterContext>,
  )
  return find
}

it('says nothing of a start that reached the server, also shortly after its page was left', async () => {
  noteStart('abc', 'Why is the sky blue?')
  const find = show([false, true])
  await vi.waitFor(() => expect(sentStart()).toBeNull(), { timeout: 10_000 })
  expect(find.mock.calls).toEqual([[{ key: 'abc' }], [{ key: 'abc' }]])
  expect(screen.queryByText('A run did not start')).toBeNull()
})

it('says once that a start was lost with its page', async () => {
  noteStart('abc', 'Why is the sky blue?')
  show([])
  expect(await screen.findByText(/“Why is the sky blue\?”/, {}, { timeout: 15_000 })).toBeVisible()
  expect(sentStart()).toBeNull()
})

it('asks nothing where no start was sent', () => {
  expect(show([])).not.toHaveBeenCalled()
})

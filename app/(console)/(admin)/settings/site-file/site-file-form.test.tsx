import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, test, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import type { Apply } from './agreement'
import type { PlanView } from './plan-view'
import { SiteFileForm } from './site-file-form'

const plan: PlanView = {
  steps: [{ id: 'skill a', type: 'create', what: 'skill', key: 'a', changes: [] }],
  onlyHere: [],
  problems: [],
  notices: [],
}

function show(onApply: Apply) {
  const router: Partial<AppRouterInstance> = { refresh: vi.fn() }
  const onCompare = vi.fn(async () => ({ ok: true, value: { plan, fingerprint: 'f' } }) as const)
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <ToastProvider>
        <SiteFileForm initialText="" onCompare={onCompare} onApply={onApply} />
      </ToastProvider>
    </AppRouterContext>,
  )
  const type = (text: string) =>
    fireEvent.change(screen.getByRole('textbox', { name: 'Text of the file' }), {
      target: { value: text },
    })
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  return { onCompare, type, press }
}

test('a file with too many bytes is not sent, even if it has few characters', async () => {
  const { onCompare, type, press } = show(vi.fn<Apply>())
  type('ü'.repeat(2_200_000))
  press('Compare')
  expect(screen.getByRole('alert')).toHaveTextContent('larger than 4 MiB. Split it')
  expect(onCompare).not.toHaveBeenCalled()
  type('toolgate: 1')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a plan that is no longer true is compared again, with the reason kept', async () => {
  const onApply = vi.fn<Apply>(async () => ({
    ok: true,
    value: { type: 'outdated', message: 'Something was changed.' },
  }))
  const { onCompare, type, press } = show(onApply)
  type('toolgate: 1')
  press('Compare')
  const heading = await screen.findByRole('heading', { name: 'Changes it would make' })
  expect(heading).toHaveFocus()
  const reason = screen.getByRole('textbox', { name: 'Reason' })
  fireEvent.change(reason, { target: { value: 'Moved here' } })
  press('Apply 1 change')
  expect(await screen.findByText('Nothing was applied')).toBeVisible()
  press('Compare again')
  await waitFor(() => expect(heading).toHaveFocus())
  expect(screen.queryByText('Nothing was applied')).toBeNull()
  expect(onCompare).toHaveBeenCalledTimes(2)
  expect(reason).toHaveValue('Moved here')
})

test('an error in the middle says how many changes were applied', async () => {
  const error = { code: 'conflict', message: 'Stopped at the skill a, after 0 of 1 changes.' }
  const { type, press } = show(vi.fn<Apply>(async () => ({ ok: false, error })))
  type('toolgate: 1')
  press('Compare')
  await screen.findByRole('heading', { name: 'Changes it would make' })
  press('Apply 1 change')
  expect(await screen.findByText('Only some changes were applied')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('after 0 of 1')
})

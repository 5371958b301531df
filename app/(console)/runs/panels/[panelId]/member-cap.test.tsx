import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ReaderRoleProvider } from '@/components/trace/reader-role'
import { RunControlsProvider } from '@/components/trace/run-controls'
import { ToastProvider } from '@/components/ui/toast'
import type { CostCap } from '@/lib/protocol/cost/money'
import { initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import { admin, runSnapshot } from '@/tests/support/run-fixture'
import { MemberCap } from './member-cap'

function show(costCaps: CostCap[], costMicroUsd: number) {
  const decideCostCap = vi.fn(async () => ({ ok: true as const, value: null }))
  const start = {
    prompt: '',
    actor: admin,
    snapshot: runSnapshot({ costCaps }),
    accepted: [],
    rejected: [],
    nonce: '',
    canary: '',
  }
  const state: RunState = { ...initialRunState, start, costMicroUsd }
  render(
    <ToastProvider>
      <ReaderRoleProvider value="member">
        <RunControlsProvider value={{ stopRun: decideCostCap, decideCostCap }}>
          <MemberCap runId="r1" name="Fast" state={state} />
        </RunControlsProvider>
      </ReaderRoleProvider>
    </ToastProvider>,
  )
  const buttons = screen.queryAllByRole('button').map(({ textContent }) => textContent)
  return { decideCostCap, buttons }
}

const cap = (scope: CostCap['scope'], mode: CostCap['mode']): CostCap => ({
  scope,
  mode,
  limitMicroUsd: 1_000,
})

it('asks about the cap of one member alone, and shows what was chosen', async () => {
  const { decideCostCap } = show([cap('run', 'warn'), cap('panel', 'enforce')], 1_000)
  expect(screen.getByRole('group', { name: 'Cost cap reached. Choose: Fast' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Keep warning', pressed: true })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Enforce' }))
  expect(decideCostCap).toHaveBeenCalledWith({ runId: 'r1', choice: 'enforce' })
  expect(screen.getByRole('button', { name: 'Enforce', pressed: true })).toBeVisible()
})

it('asks also before the cap is reached, so that nothing moves then', () => {
  show([cap('run', 'warn')], 999)
  expect(screen.getByRole('group', { name: 'At the cost cap: Fast' })).toBeVisible()
})

it('asks nothing where there is no cap but that of the panel, or nothing to choose', () => {
  expect(show([cap('panel', 'warn')], 2_000).buttons).toEqual([])
  expect(show([cap('configuration', 'enforce')], 2_000).buttons).toEqual([])
})

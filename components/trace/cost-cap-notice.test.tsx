import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import type { CostCap } from '@/lib/protocol/cost/money'
import { initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import { admin, runSnapshot } from '@/tests/support/run-fixture'
import { type ChooseCostCap, CostCapNotice } from './cost-cap-notice'
import { ReaderRoleProvider } from './reader-role'

const cap = (scope: CostCap['scope'], mode: CostCap['mode']): CostCap => ({
  scope,
  mode,
  limitMicroUsd: 10_000,
})

function stateWith(costCaps: CostCap[], costMicroUsd: number | null): RunState {
  const start = {
    prompt: '',
    actor: admin,
    snapshot: runSnapshot({ costCaps }),
    accepted: [],
    rejected: [],
    nonce: '',
    canary: '',
  }
  return { ...initialRunState, start, costMicroUsd }
}

function show(state: RunState, role: 'admin' | 'member') {
  const choose = vi.fn<ChooseCostCap>(async () => null)
  const page = (now: RunState) => (
    <ToastProvider>
      <ReaderRoleProvider value={role}>
        <CostCapNotice state={now} choose={choose} />
      </ReaderRoleProvider>
    </ToastProvider>
  )
  const { rerender } = render(page(state))
  const buttons = screen.queryAllByRole('button').map((button) => button.textContent)
  return { choose, buttons, become: (next: RunState) => rerender(page(next)) }
}

it('says nothing before a cap is reached', () => {
  show(stateWith([cap('configuration', 'warn')], 9_999), 'admin')
  expect(screen.queryByRole('region', { name: 'Cost cap' })).toBeNull()
})

it('offers every choice about a cap that warns, and says what was chosen', async () => {
  const { choose, buttons } = show(stateWith([cap('configuration', 'warn')], 12_000), 'member')
  expect(buttons).toEqual(['Enforce', 'Keep warning', 'Ignore'])
  expect(screen.getByText(/cost \$0\.012 and reached the cap of \$0\.01/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Ignore' }))
  expect(choose).toHaveBeenCalledWith('ignore')
  expect(await screen.findByText(/the run continues without warnings/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Ignore' })).toHaveAttribute('aria-pressed', 'true')
})

it('lets a member not widen what an admin enforces, but widen a cap of their own', () => {
  const { buttons } = show(stateWith([cap('task', 'enforce')], null), 'member')
  expect(buttons).toEqual(['Enforce'])
  expect(screen.getByText(/The run stops with a final answer/)).toBeVisible()
})

it('offers a member everything about a cap of their own, and an admin everything', () => {
  expect(show(stateWith([cap('run', 'enforce')], 10_000), 'member').buttons).toHaveLength(3)
})

it('offers a member nothing looser than an admin chose', () => {
  const state = {
    ...stateWith([cap('configuration', 'warn')], 12_000),
    costCapDecision: {
      choice: 'enforce' as const,
      by: 'me@example.org',
      spentMicroUsd: null,
      byAdmin: 'warn' as const,
    },
  }
  expect(show(state, 'member').buttons).toEqual(['Enforce', 'Keep warning'])
})

it('shows the newer choice of another person', async () => {
  const state = stateWith([cap('configuration', 'warn')], 12_000)
  const { become } = show(state, 'member')
  await userEvent.click(screen.getByRole('button', { name: 'Ignore' }))
  become({
    ...state,
    costCapDecision: { choice: 'enforce', by: 'ada@example.org', spentMicroUsd: null },
  })
  expect(screen.getByRole('button', { name: 'Enforce' })).toHaveAttribute('aria-pressed', 'true')
  expect(screen.getByRole('button', { name: 'Ignore' })).toHaveAttribute('aria-pressed', 'false')
  expect(screen.getByText(/the run stops with a final answer/)).toHaveTextContent(
    'ada@example.org chose',
  )
})

it('leaves the focus on the button while its choice is under way', async () => {
  const { choose } = show(stateWith([cap('configuration', 'warn')], 12_000), 'member')
  let resolve = (_problem: null) => {}
  choose.mockReturnValue(
    new Promise((answer) => {
      resolve = answer
    }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Ignore' }))
  expect(screen.getByRole('button', { name: 'Ignore' })).toHaveFocus()
  expect(screen.getByRole('button', { name: 'Ignore' })).toBeEnabled()
  expect(screen.getByRole('button', { name: 'Enforce' })).toBeDisabled()
  await act(async () => resolve(null))
  expect(screen.getByRole('button', { name: 'Enforce' })).toBeEnabled()
})

it('leads to the page of the panel for the cap of a panel, and asks here about caps of the run alone', async () => {
  const own = stateWith([cap('panel', 'warn')], 12_000)
  const start = own.start && { ...own.start, panelId: 'p1' }
  const { buttons, choose, become } = show({ ...own, start }, 'admin')
  expect(buttons).toEqual([])
  expect(screen.getByRole('region', { name: 'Cost cap of the panel' })).toHaveTextContent(
    'This panel has cost $0.012 and reached the cap of $0.01 that it was started with. The run continues.',
  )
  expect(screen.getByRole('link', { name: 'Choose for the whole panel' })).toHaveAttribute(
    'href',
    '/runs/panels/p1',
  )
  become({
    ...own,
    start,
    panelCapDecision: { choice: 'ignore', by: 'ada@example.org', spentMicroUsd: 1 },
  })
  expect(screen.getByText(/the run continues without warnings/)).toHaveTextContent(
    'ada@example.org chose',
  )
  expect(choose).not.toHaveBeenCalled()
})

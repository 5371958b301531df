import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Budget } from '@/lib/domains/budgets/shape'
import { showInPage } from '@/tests/support/show-in-page'
import { UserBudgets } from './user-budgets'

const changeUserBudget = vi.hoisted(() => vi.fn(async (_input: unknown) => ({ ok: true })))
vi.mock('../actions', () => ({ changeUserBudget }))

const budget: Budget = {
  id: 'b1',
  title: 'Monthly budget of kim@example.org',
  scope: 'user',
  scopeId: 'u1',
  window: 'month',
  unit: 'micro-usd',
  amount: 5_000_000,
  unpriced: 'refuse',
  enabled: true,
  reserved: 0,
  spent: 5_000_000,
  createdByLabel: 'x',
  spentAtLeast: false,
  resetsAt: '',
  fullAt: null,
  topUser: null,
  updatedAt: '',
} as Budget

test('the budget of a person is shown on their page and raised there', async () => {
  showInPage(<UserBudgets budgets={[budget]} />)
  expect(screen.getByRole('listitem')).toHaveTextContent('$5.00 of $5.00')
  await userEvent.click(screen.getByRole('button', { name: 'Change limit' }))
  const dialog = within(screen.getByRole('dialog', { name: budget.title }))
  await userEvent.clear(dialog.getByLabelText('Limit in US dollars'))
  await userEvent.type(dialog.getByLabelText('Limit in US dollars'), '20')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(changeUserBudget).toHaveBeenCalledWith({ id: 'b1', amount: 20_000_000, reason: '' })
})

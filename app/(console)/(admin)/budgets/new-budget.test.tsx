import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { createObject, updateObject } from '@/app/(console)/(admin)/resource-actions'
import { Form, FormButtons } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import type { Budget } from '@/lib/domains/budgets/shape'
import { showInPage } from '@/tests/support/show-in-page'
import { NewBudgetButton, ScopeField } from './new-budget'
import type { UnpricedModel } from './unpriced-models'

const addPrice = vi.hoisted(() => vi.fn())
vi.mock('./actions', () => ({ addPrice }))
beforeEach(() => {
  const done = { ok: true, value: { id: 'new' } } as const
  for (const send of [createObject, updateObject, addPrice]) vi.mocked(send).mockResolvedValue(done)
})

const use = (id: string, position: number | null = null) => ({ id, name: `C ${id}`, position })
const model: UnpricedModel = {
  id: 'm1',
  displayName: 'Qwen',
  connectionName: 'My server',
  usedBy: [use('a'), use('b'), use('c'), use('d', 0)],
}
const existing: Budget = {
  id: 'b1',
  title: 'Monthly site budget',
  scope: 'site',
  scopeId: null,
  window: 'month',
  unit: 'micro-usd',
  amount: 50_000_000,
  unpriced: 'refuse',
  enabled: true,
  reserved: 0,
  spent: 0,
  createdByLabel: 'x',
  spentAtLeast: false,
  resetsAt: '',
  fullAt: null,
  topUser: null,
  updatedAt: '',
} as Budget
const names = { groups: [], configurations: [], keys: [] }

async function open(facts: { models?: UnpricedModel[]; existing?: Budget[] }) {
  showInPage(<NewBudgetButton names={names} models={[]} existing={[]} {...facts} />)
  await userEvent.click(screen.getByRole('button', { name: 'Add budget' }))
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Limit' }), '50')
  return dialog
}

test('while a model in use has no price, nobody picks for the person what becomes of it', async () => {
  const dialog = await open({ models: [model] })
  await userEvent.click(dialog.getByRole('button', { name: 'Add budget' }))
  expect(createObject).not.toHaveBeenCalled()
  const choice = dialog.getByRole('combobox', { name: 'A model without a price' })
  expect(choice).toHaveAccessibleDescription(/Pick one, or add the prices/)
  await userEvent.click(choice)
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Refuse: 3 configurations stop',
    'Allow: this budget does not limit them',
  ])
  await userEvent.click(screen.getByRole('option', { name: /^Allow/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add budget' }))
  expect(createObject).toHaveBeenCalledWith(
    'budget',
    expect.objectContaining({ unpriced: 'count-tokens', amount: 50_000_000 }),
  )
})

test('the price is entered in the form of the budget', async () => {
  const dialog = await open({ models: [model] })
  await userEvent.type(dialog.getByLabelText('Input price of Qwen'), '0.5')
  await userEvent.type(dialog.getByLabelText('Output price of Qwen'), '0{Enter}')
  const prices = expect.objectContaining({ input: 500_000, output: 0, cacheWrite: null })
  expect(addPrice).toHaveBeenCalledWith({ id: 'm1', prices })
})

test('a second budget of one scope, window and unit names the first, which can be changed instead', async () => {
  const dialog = await open({ existing: [existing] })
  expect(dialog.getByRole('status')).toHaveTextContent(
    'Monthly site budget of $50.00 exists already.',
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Change it' }))
  const edit = within(screen.getByRole('dialog', { name: 'Edit Monthly site budget' }))
  await userEvent.clear(edit.getByLabelText('Limit (USD)'))
  await userEvent.type(edit.getByLabelText('Limit (USD)'), '80')
  await userEvent.click(edit.getByRole('button', { name: 'Save' }))
  expect(updateObject).toHaveBeenCalledWith(
    'budget',
    expect.objectContaining({ id: 'b1', amount: 80_000_000 }),
  )
})

const named = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `id-${at}`, name: `Thing ${at}` }))
const manyNames = { groups: named(200), configurations: named(2), keys: named(3) }

function ScopeForm({ scope }: { scope: 'user' | 'group' | 'configuration' | 'key' }) {
  const fields = { scopeId: 'Pick a person.' }
  const form = useActionForm({
    values: { scopeId: null },
    send: async () => ({ ok: false, error: { code: 'invalid-input', message: 'Check.', fields } }),
  })
  return (
    <Form form={form}>
      <ScopeField key={scope} scope={scope} names={manyNames} />
      <FormButtons button="Add" failed="Not added" />
    </Form>
  )
}

test('says beside the choice of a person that there must be one', async () => {
  showInPage(<ScopeForm scope="user" />)
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  const button = screen.getByLabelText('Person')
  expect(button).toBeInvalid()
  expect(button).toHaveFocus()
  expect(button).toHaveAccessibleDescription('Pick a person.')
})

test('one of hundreds is found by typing, one of a few is picked from a list', () => {
  const { rerender } = showInPage(<ScopeForm scope="group" />)
  expect(screen.getByLabelText('Group')).toHaveAttribute('aria-haspopup', 'dialog')
  rerender(<ScopeForm scope="configuration" />)
  expect(screen.getByLabelText('Configuration')).not.toHaveAttribute('aria-haspopup', 'dialog')
  rerender(<ScopeForm scope="key" />)
  expect(screen.getByLabelText('API key')).not.toHaveAttribute('aria-haspopup', 'dialog')
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Form, FormButtons } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import type { Assertion } from '@/lib/protocol/check/assertion'
import { showInPage } from '@/tests/support/show-in-page'
import { assertionDrafts, assertionFieldOf, assertionsOf } from './assertion-draft'
import { AssertionsField } from './assertions-field'

const send = vi.fn()

function CheckForm({ assertions }: { assertions: readonly Assertion[] }) {
  const form = useActionForm({
    values: { assertions: assertionDrafts(assertions) },
    send: async (draft) => send(assertionsOf(draft.assertions)),
    fieldOf: assertionFieldOf,
  })
  return (
    <Form form={form}>
      <AssertionsField
        tools={['fetch_logs', 'search_runs']}
        judges={[{ identifier: 'fast', name: 'Fast' }]}
      />
      <FormButtons button="Save check" />
    </Form>
  )
}

function show(...assertions: Assertion[]) {
  send.mockReset().mockResolvedValue({ ok: true, value: null })
  showInPage(<CheckForm assertions={assertions} />)
  return userEvent.setup()
}

const save = () => screen.getByRole('button', { name: 'Save check' })
const add = () => screen.getByRole('button', { name: 'Add assertion' })
const notCalled: Assertion = { type: 'tool-not-called', tool: 'get_env' }
const order: Assertion = { type: 'tools-in-order', tools: ['a', 'b'] }

test('an assertion is added by keyboard, with another type and its fields', async () => {
  const user = show()
  expect(screen.getByText('No assertions yet. A check needs at least one.')).toBeVisible()
  add().focus()
  await user.keyboard('{Enter}')
  const type = screen.getByRole('combobox', { name: 'Assertion' })
  expect(type).toHaveFocus()
  await user.type(screen.getByLabelText('Tool'), 'fetch_logs')
  expect(screen.getByText('Calls fetch_logs at least once')).toBeVisible()
  await user.click(type)
  await user.click(screen.getByRole('option', { name: 'Calls a tool with an argument' }))
  await user.clear(screen.getByLabelText('Path'))
  await user.type(screen.getByLabelText('Path'), '$.limit')
  await user.type(screen.getByLabelText('Value'), '5')
  await user.click(save())
  expect(send).toHaveBeenCalledWith([
    { type: 'argument', tool: 'fetch_logs', path: '$.limit', operator: 'equals', value: '5' },
  ])
})

test('stored assertions are closed lines, and open to their fields', async () => {
  const user = show(notCalled, order)
  expect(screen.getByText('Calls a, then b')).toBeVisible()
  expect(screen.queryByLabelText('Tools, one per line')).toBeNull()
  await user.click(screen.getByText('Calls a, then b'))
  expect(screen.getByLabelText('Tools, one per line')).toBeVisible()
})

test('removing keeps the other assertions, and the focus stays in the list', async () => {
  const user = show(notCalled, order)
  await user.click(screen.getByRole('button', { name: 'Remove assertion 1' }))
  expect(screen.getByRole('list', { name: 'Assertions' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Remove assertion 1' }))
  expect(add()).toHaveFocus()
  await user.click(save())
  expect(send).toHaveBeenCalledWith([])
})

test('an error opens its assertion and stands at its field', async () => {
  const user = show(notCalled, order)
  const fields = { 'assertions.1.tools.0': 'Name a tool.' }
  send.mockResolvedValue({ ok: false, error: { code: 'invalid-input', message: 'No.', fields } })
  await user.click(save())
  const tools = screen.getByLabelText('Tools, one per line')
  expect(tools).toBeVisible()
  expect(tools).toHaveFocus()
  expect(tools).toHaveAccessibleDescription(/Name a tool\./)
  expect(screen.queryByLabelText('Tool')).toBeNull()
})

test('an error about the whole list stands below it', async () => {
  const user = show()
  const message = 'Assert something: a check without an assertion tests nothing.'
  const error = { code: 'invalid-input', message, fields: { assertions: message } }
  send.mockResolvedValue({ ok: false, error })
  await user.click(save())
  expect(screen.getByText(message)).toBeVisible()
  expect(add()).toHaveFocus()
})

test('a check takes no more than 50 assertions and says so', () => {
  show(...Array<Assertion>(50).fill(notCalled))
  expect(add()).toBeDisabled()
  expect(screen.getByText('A check has at most 50 assertions.')).toBeVisible()
})

test('a judge is added with its configuration and rubric, and compares only an answer with a schema', async () => {
  const user = show(notCalled)
  await user.click(screen.getByRole('button', { name: 'Add a judge' }))
  const configuration = screen.getByRole('combobox', { name: 'Configuration that judges' })
  expect(configuration).toHaveFocus()
  expect(configuration).toHaveAccessibleDescription(/Each try costs a model request more\./)
  await user.click(configuration)
  await user.click(screen.getByRole('option', { name: 'Fast' }))
  await user.type(screen.getByLabelText('Rubric'), 'It is short.')
  expect(screen.getByText('Passes the judge fast: “It is short.”')).toBeVisible()
  expect(screen.queryByLabelText('Path')).toBeNull()
  await user.click(save())
  const judge = { type: 'judge', configuration: 'fast', rubric: 'It is short.' }
  expect(send).toHaveBeenCalledWith([notCalled, judge])
})

test('an error about what passes stands at the fields of the answer', async () => {
  const user = show({
    type: 'judge',
    configuration: 'gone',
    rubric: 'It is short.',
    schema: { type: 'object' },
    passes: { path: '$.score', operator: 'at-least', value: 'x' },
  })
  const fields = { 'assertions.0.passes.value': 'Enter a number.' }
  send.mockResolvedValue({ ok: false, error: { code: 'invalid-input', message: 'No.', fields } })
  await user.click(save())
  expect(screen.getByLabelText('Value')).toHaveAccessibleDescription(/Enter a number\./)
  expect(screen.getByRole('combobox', { name: 'Configuration that judges' })).toHaveTextContent(
    'gone',
  )
})

test('a check takes no more than five judges and says so', () => {
  show(...Array<Assertion>(5).fill({ type: 'judge', configuration: 'fast', rubric: 'x' }))
  expect(screen.getByRole('button', { name: 'Add a judge' })).toBeDisabled()
  expect(add()).toBeEnabled()
  expect(screen.getByText('A check has at most 5 judges.')).toBeVisible()
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Form } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import { showInPage } from '@/tests/support/show-in-page'
import { RunWith } from './run-with'
import { emptyDraft, toTaskInput } from './task-draft'

let draft = emptyDraft

function Task() {
  const form = useActionForm({
    values: emptyDraft,
    send: async () => ({ ok: true, value: null }),
  })
  draft = form.watch()
  return (
    <Form form={form}>
      <RunWith draft={draft} configurations={[]} />
    </Form>
  )
}

test('a schema is checked as it is typed, shows an answer that fits, and is sent in its order', async () => {
  showInPage(<Task />)
  await userEvent.click(screen.getByText('Answer and cost'))
  const field = await screen.findByRole('textbox', { name: /Answer schema/ })
  await userEvent.click(field)
  await userEvent.paste('{"type":"objekt"}')
  expect(screen.getByText(/Write one of string/)).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.paste(
    '{"type":"object","properties":{"z":{"const":"last"},"a":{"const":"first"}},"required":["z","a"]}',
  )
  expect(screen.queryByText(/Write one of string/)).toBeNull()
  await userEvent.click(screen.getByText('Sample answer'))
  expect(screen.getByText(/"z": "last"/)).toBeTruthy()
  const { outputSchema } = toTaskInput(draft)
  expect(Object.keys(Object(outputSchema?.properties))).toEqual(['z', 'a'])
})

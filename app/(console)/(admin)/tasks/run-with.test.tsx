import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { RunWith } from './run-with'
import { emptyDraft, toTaskInput } from './task-draft'

function Form({ onDraft }: { onDraft: (draft: typeof emptyDraft) => void }) {
  const [draft, setDraft] = useState(emptyDraft)
  onDraft(draft)
  return (
    <RunWith
      draft={draft}
      configurations={[]}
      errors={{}}
      onChange={(part) => setDraft({ ...draft, ...part })}
    />
  )
}

test('a schema is checked as it is typed, shows an answer that fits, and is sent in its order', async () => {
  let draft = emptyDraft
  render(
    <Form
      onDraft={(now) => {
        draft = now
      }}
    />,
  )
  const field = screen.getByRole('textbox', { name: /Answer schema/ })
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
  const { outputSchema } = toTaskInput(draft).input
  expect(Object.keys(Object(outputSchema?.properties))).toEqual(['z', 'a'])
})

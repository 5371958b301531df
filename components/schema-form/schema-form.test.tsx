import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { draftText, emptyDraft } from './schema-draft'
import { SchemaForm } from './schema-form'

const schema = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', description: 'Where it is.' },
    deep: { type: 'boolean' },
    size: { type: 'integer' },
  },
}

function Page({ of }: { of: Record<string, unknown> }) {
  const [draft, setDraft] = useState(() => emptyDraft(of))
  return (
    <>
      <SchemaForm schema={of} draft={draft} onChange={setDraft} />
      <output>{draftText(of, draft)}</output>
    </>
  )
}

test('fields and JSON keep what was typed in the other one', async () => {
  render(<Page of={schema} />)
  expect(screen.getByLabelText('path')).toHaveAccessibleDescription('Where it is.')
  await userEvent.type(screen.getByLabelText('path'), '/a')
  await userEvent.click(screen.getByLabelText('deep (optional)'))
  expect(screen.getByRole('status')).toHaveTextContent('{"path": "/a", "deep": true}')

  await userEvent.click(screen.getByRole('tab', { name: 'JSON' }))
  const json = screen.getByLabelText('Arguments as JSON')
  expect(json).toHaveValue('{"path": "/a", "deep": true}')
  await userEvent.clear(json)
  await userEvent.type(json, '{{"path":"/b","size":')
  expect(screen.getByRole('tab', { name: 'Fields' })).toBeDisabled()
  expect(json).toHaveAccessibleDescription('This is no JSON object yet.')
  await userEvent.type(json, '7,"more":1}')
  await userEvent.click(screen.getByRole('tab', { name: 'Fields' }))
  expect(screen.getByLabelText('path')).toHaveValue('/b')
  expect(screen.getByLabelText('size (optional)')).toHaveValue('7')
  expect(screen.getByText('Kept as they are in the JSON: more')).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('{"path": "/b", "size": 7, "more": 1}')
})

test('a schema without fields is typed as JSON alone', () => {
  render(<Page of={{ anyOf: [{ type: 'object' }] }} />)
  expect(screen.queryByRole('tab')).toBeNull()
  expect(screen.getByLabelText('Arguments as JSON')).toHaveValue('{}')
})

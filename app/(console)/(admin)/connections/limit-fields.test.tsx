import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { emptyDraft } from './connection-draft'
import { LimitFields } from './limit-fields'

function Form() {
  const [draft, setDraft] = useState(emptyDraft)
  const [errors, setErrors] = useState({})
  return (
    <>
      <button type="button" onClick={() => setErrors({ maxTries: 'From 1 to 5.' })}>
        Save
      </button>
      <LimitFields
        draft={draft}
        errors={errors}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          setErrors({})
        }}
      />
    </>
  )
}

test('an error opens the section, and correcting it does not close it', () => {
  render(<Form />)
  const tries = screen.getByRole('textbox', { name: 'Maximum tries', hidden: true })
  expect(tries).not.toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(tries).toBeVisible()
  fireEvent.change(tries, { target: { value: '4' } })
  expect(screen.queryByText('From 1 to 5.')).toBeNull()
  expect(tries).toBeVisible()
})

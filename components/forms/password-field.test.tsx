import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PasswordField } from './password-field'

it('is found by its label, also on a page with a section of the same name', () => {
  render(
    <section id="password">
      <PasswordField label="New password" error="This password is too easy to guess." />
    </section>,
  )
  const field = screen.getByLabelText('New password')
  expect(field).toHaveAttribute('type', 'password')
  expect(field).toHaveAccessibleDescription(/too easy to guess/)
})

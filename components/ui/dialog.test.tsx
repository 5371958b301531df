import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Dialog } from './dialog'
import { ErrorNotice } from './error-notice'

const name = 'Kiosk \u202Enoitaru'

test('a name in a title cannot reverse text', () => {
  render(<Dialog open onOpenChange={() => undefined} title={`Switch off ${name}`} />)
  expect(screen.getByRole('dialog')).toHaveAccessibleName('Switch off Kiosk [U+202E]noitaru')
})

test('a name in an error cannot reverse text', () => {
  render(<ErrorNotice title={`${name} was not deleted`}>{`${name} is in use.`}</ErrorNotice>)
  expect(screen.getByRole('alert')).toHaveTextContent(
    'Kiosk [U+202E]noitaru was not deletedKiosk [U+202E]noitaru is in use.',
  )
})

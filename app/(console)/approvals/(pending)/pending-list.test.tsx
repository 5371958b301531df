import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { focusCall } from './pending-list'

test('after a decision the focus is on the next waiting call, or on the last one', () => {
  const { rerender } = render(<List names={['b', 'c']} />)
  const list = screen.getByRole('list')
  focusCall(list, 0)
  expect(screen.getByRole('article', { name: 'b' })).toHaveFocus()
  focusCall(list, 2)
  expect(screen.getByRole('article', { name: 'c' })).toHaveFocus()
  rerender(<List names={[]} />)
  focusCall(list, 0)
  expect(list).toHaveFocus()
})

function List({ names }: { names: string[] }) {
  return (
    <ul tabIndex={-1}>
      {names.map((name) => (
        <li key={name}>
          <article tabIndex={-1} aria-label={name}>
            <button type="button">Approve</button>
          </article>
        </li>
      ))}
    </ul>
  )
}

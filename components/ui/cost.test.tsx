import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Cost } from './cost'

test.each([
  [12_345_678_901, '12345.678901', '$12345.678901'],
  [1_250_000, '1.25', null],
  [312, '0.000312', null],
  [0, '0.00', null],
])('%d micro-USD to the micro-dollar', (microUsd, value, title) => {
  render(<Cost microUsd={microUsd} />)
  const shown = screen.getByText(/^\$/)
  expect(shown.getAttribute('value')).toBe(value)
  expect(shown.getAttribute('title')).toBe(title)
})

test('what has no price has no figure', () => {
  render(<Cost microUsd={null} />)
  expect(screen.getByText('unpriced')).toBeTruthy()
})

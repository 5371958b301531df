import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Cost } from './cost'

test.each([
  [12_345_678_901, '12345.678901', '$12345.678901'],
  [1_250_000, '1.25', null],
  [312, '0.000312', null],
  [0, '0.00', null],
])('%d micro-USD to the micro-dollar', (microUsd, value, title) => {
  render(<Cost microUsd={microUsd} bound="exact" />)
  const shown = screen.getByText(/^\$/)
  expect(shown.getAttribute('value')).toBe(value)
  expect(shown.getAttribute('title')).toBe(title)
})

test('a cost without a price has no figure', () => {
  render(<Cost microUsd={null} bound="about" />)
  expect(screen.getByText('unpriced')).toBeTruthy()
})

test('a bound is said with it', () => {
  render(<Cost microUsd={1_250_000} bound="at-most" />)
  expect(screen.getByText('at most $1.25').getAttribute('value')).toBe('1.25')
})

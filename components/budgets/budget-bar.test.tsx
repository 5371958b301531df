import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BudgetBar } from './budget-bar'

test.each([
  ['micro-usd', 'count-tokens', '$0.00 of $5.00 · 0 %, without unpriced requests'],
  ['micro-usd', 'refuse', '$0.00 of $5.00 · 0 %'],
  ['requests', 'count-tokens', '0 requests of 5 000 000 requests · 0 %'],
] as const)('a budget in %s that would %s says %s', (unit, unpriced, words) => {
  const { container } = render(
    <BudgetBar unit={unit} amount={5_000_000} spent={0} reserved={0} unpriced={unpriced} />,
  )
  expect(screen.getByText(/0\s%/)).toBeVisible()
  expect(container.textContent?.replace(/\s/g, ' ')).toBe(words)
})

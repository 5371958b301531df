import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BudgetBar } from './budget-bar'

test.each([
  ['micro-usd', true, '$0.00 of $5.00 · 0 %, without unpriced requests'],
  ['micro-usd', false, '$0.00 of $5.00 · 0 %'],
  ['requests', false, '0 requests of 5 000 000 requests · 0 %'],
] as const)('a budget in %s whose sum lacks requests: %s, says %s', (unit, spentAtLeast, words) => {
  const { container } = render(
    <BudgetBar unit={unit} spentAtLeast={spentAtLeast} amount={5_000_000} spent={0} reserved={0} />,
  )
  expect(screen.getByText(/0\s%/)).toBeVisible()
  expect(container.textContent?.replace(/\s/g, ' ')).toBe(words)
})

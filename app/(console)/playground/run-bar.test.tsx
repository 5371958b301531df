import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { RunBar } from './run-bar'

const bar = { hintId: 'hint', busy: false, running: false }

it('is disabled while nothing can run, with the reason and a link that fixes it', () => {
  const reason = 'Daily site budget used up. It resets at 2026-11-24 00:00 UTC.'
  const link = { label: 'Open the budgets', href: '/budgets' }
  const { rerender } = render(<RunBar {...bar} obstacle={{ reason, link }} />)
  const button = screen.getByRole('button', { name: 'Run' })
  expect(button).toBeDisabled()
  expect(button).toHaveAccessibleDescription(`${reason} Open the budgets`)
  expect(screen.getByRole('link', { name: 'Open the budgets' })).toHaveAttribute('href', '/budgets')
  rerender(<RunBar {...bar} obstacle={null} />)
  expect(button).toBeEnabled()
  expect(screen.queryByText(reason)).toBeNull()
})

it('says nothing of it while a run goes on', () => {
  const obstacle = { reason: 'The budget is used up.', link: null }
  render(<RunBar {...bar} running obstacle={obstacle} />)
  expect(screen.getByRole('button', { name: 'Run' })).toBeDisabled()
  expect(screen.queryByText(obstacle.reason)).toBeNull()
})

it('says no number of members that no panel has', () => {
  const { rerender } = render(<RunBar {...bar} obstacle={null} members={0} />)
  expect(screen.getByRole('button')).toHaveTextContent('Run members')
  rerender(<RunBar {...bar} obstacle={null} members={3} />)
  expect(screen.getByRole('button')).toHaveTextContent('Run 3 members')
})

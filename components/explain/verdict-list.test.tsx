import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type ExplainedTool, VerdictList } from './verdict-list'

const refused: ExplainedTool = {
  name: 'fetch_logs',
  group: 'system',
  verdict: { allowed: false, gate: 'role', reason: 'Only admins may use this tool.' },
  answers: [
    { gate: 'registered', reason: null },
    { gate: 'role', reason: 'Only admins may use this tool.' },
    { gate: 'skills', reason: 'The skills do not list it.' },
  ],
}
const allowed: ExplainedTool = {
  name: 'read_asset_meta',
  group: 'assets',
  verdict: { allowed: true },
  answers: [{ gate: 'registered', reason: null }],
}

test('names the first gate that says no, its sentence, the way to it, and every other answer', () => {
  const about = { configurationId: 'c1', userId: 'u1' }
  render(<VerdictList tools={[refused, allowed]} about={about} />)
  const system = within(screen.getByRole('region', { name: 'system' }))
  expect(system.getAllByText('Only admins may use this tool.')).toHaveLength(2)
  expect(system.getByRole('link', { name: 'See it under Users' })).toHaveAttribute(
    'href',
    '/users/u1',
  )
  expect(system.getByText('The skills do not list it.')).toBeInTheDocument()
  const assets = within(screen.getByRole('region', { name: 'assets' }))
  expect(assets.getByText('Allowed')).toBeVisible()
  expect(assets.queryByRole('link')).toBeNull()
})

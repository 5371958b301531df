import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { GateName } from '@/lib/protocol/tool'
import { HeldBack } from './tool-picker'
import type { PickableTool } from './tool-selection'

const about = { configurationId: 'c1', userId: 'u1' }
const forAdmins = { role: 'admin', about, leastTrusted: 'Cloud' } as const
const forMembers = { role: 'member', about, leastTrusted: 'Cloud' } as const

function tool(name: string, gate: GateName | null): PickableTool {
  const verdict = gate
    ? ({ allowed: false, gate, reason: 'No.' } as const)
    : ({ allowed: true } as const)
  return { name, description: '', group: 'g', schemaTokens: 1, verdict }
}

test('says how many tools a gate holds back, and leads admins to where that is changed', () => {
  const tools = [tool('a', 'trust-zone'), tool('b', 'trust-zone'), tool('c', 'enabled')]
  render(<HeldBack tools={[...tools, tool('d', null)]} {...forAdmins} />)
  expect(screen.getByText('3 of 4 tools are not offered')).toBeVisible()
  const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
  expect(lines).toEqual([
    '2: what they return may not go to Cloud. See and raise the data class',
    '1: the reason is shown next to the tool.',
  ])
  expect(screen.getByRole('link')).toHaveAttribute('href', '/configurations/c1#trust')
})

test('sends members to an admin instead, and says nothing about tools that are simply off', () => {
  const { rerender, container } = render(<HeldBack tools={[tool('a', 'skills')]} {...forMembers} />)
  expect(screen.getByText('Ask an admin.')).toBeVisible()
  expect(screen.queryByRole('link')).toBeNull()
  rerender(<HeldBack tools={[tool('a', 'role')]} {...forMembers} />)
  expect(container).toBeEmptyDOMElement()
})

test('a configuration that is switched off is told apart from groups it does not allow', () => {
  const verdict = { allowed: false, gate: 'configuration', part: 'switch', reason: 'Off.' } as const
  const closed = { ...tool('a', null), verdict }
  render(<HeldBack tools={[closed, tool('b', 'configuration')]} {...forAdmins} />)
  expect(screen.getByText('2 of 2 tools are not offered')).toBeVisible()
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/configurations/c1', '/configurations/c1#tool-groups'])
})

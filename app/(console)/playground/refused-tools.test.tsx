import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { GateName, Role } from '@/lib/protocol/tool'
import { RefusedTools } from './refused-tools'
import type { PickableTool } from './tool-selection'

function tool(name: string, gate: GateName | null, reason = 'No.'): PickableTool {
  const verdict = gate ? ({ allowed: false, gate, reason } as const) : ({ allowed: true } as const)
  return { name, description: '', group: 'g', schemaTokens: 1, verdict, waits: false }
}

function show(tools: PickableTool[], { role = 'admin' as Role, isOpen = false } = {}) {
  const about = { configurationId: 'c1', userId: 'u1' }
  return render(<RefusedTools tools={tools} isOpen={isOpen} role={role} about={about} />)
}

const lines = () => screen.getAllByRole('listitem').map((line) => line.textContent)
const addresses = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))

test('says in one line how many are refused; opened, each reason once, with its tools and the way to change it', async () => {
  const sent = 'What they return may not go to Cloud.'
  const off = 'Off until an admin switches it on.'
  show([
    tool('a', 'trust-zone', sent),
    tool('b', 'trust-zone', sent),
    tool('c', 'enabled', off),
    tool('d', null),
  ])
  expect(screen.queryByRole('listitem')).toBeNull()
  await userEvent.click(screen.getByText('3 not offered'))
  expect(lines()).toEqual([`${sent} Raise the data classa, b`, `${off} See it under Toolsc`])
  expect(addresses()).toEqual(['/configurations/c1#trust', '/tools?search=c'])
})

test('several that are off lead to all tools, and each part of the configuration to its place', () => {
  const closed = { allowed: false, gate: 'configuration', part: 'switch', reason: 'Off.' } as const
  show(
    [
      tool('a', 'enabled'),
      tool('b', 'enabled'),
      { ...tool('c', null), verdict: closed },
      tool('d', 'configuration', 'Its group is not allowed.'),
    ],
    { isOpen: true },
  )
  expect(addresses()).toEqual(['/tools', '/configurations/c1', '/configurations/c1#tool-groups'])
})

test('members read the reasons without links, and nothing is said when every tool is offered', () => {
  const { unmount } = show([tool('a', 'skills')], { role: 'member', isOpen: true })
  expect(lines()).toEqual(['No. a'])
  expect(screen.queryByRole('link')).toBeNull()
  unmount()
  expect(show([tool('a', null)]).container).toBeEmptyDOMElement()
})

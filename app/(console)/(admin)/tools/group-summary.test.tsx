import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toListing } from '@/lib/toolset/tools/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { GroupSummary } from './group-summary'

const off = { ...toListing(testTool('fetch_logs', { group: 'system' })), enabled: false }
const show = (tools: (typeof off)[]) =>
  render(
    <GroupSummary
      group="system"
      tools={tools}
      groupSwitch={{ flip: vi.fn(), dialog: null }}
      isOpen={false}
      onFold={vi.fn()}
    />,
  )

test('a group that is allowed says how many of its tools are on', () => {
  show([off, { ...off, name: 'read_logs', enabled: true }])
  expect(screen.getByText(/^1 of 2 on/)).toBeVisible()
  expect(screen.getByRole('switch', { name: 'Group system: allowed' })).toBeChecked()
  expect(screen.getByText('Group allowed')).toBeVisible()
})

test('a group that is off says so at its switch, and who switched it off', () => {
  const groupOff = { reason: 'Audit', changedByLabel: 'Ada', changedAt: '2026-11-22T00:00:00.000Z' }
  show([{ ...off, groupOff }])
  expect(screen.getByRole('switch')).not.toBeChecked()
  expect(screen.getByText(/Switched off by/)).toHaveTextContent('Ada')
})

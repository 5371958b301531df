import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toListing } from '@/lib/toolset/tools/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { ToolMenu } from './tool-menu'

const tool = toListing(testTool('fetch_logs', { group: 'system' }))
const groupOff = { reason: 'Audit', changedByLabel: 'Ada', changedAt: '2026-11-22T00:00:00.000Z' }

function open(shown: typeof tool) {
  const flip = vi.fn()
  const flipWithReason = vi.fn()
  const toolSwitch = { flip, flipWithReason, reset: vi.fn(), pending: false, dialog: null }
  const groupSwitch = { flip: vi.fn(), dialog: null }
  render(<ToolMenu tool={shown} toolSwitch={toolSwitch} groupSwitch={groupSwitch} />)
  fireEvent.keyDown(screen.getByRole('button', { name: 'More for fetch_logs' }), { key: 'Enter' })
  return { flipWithReason, flipGroup: groupSwitch.flip }
}

test('a tool that is off by its group is switched on by its group', async () => {
  const { flipGroup } = open({ ...tool, groupOff })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Switch on the whole group system' }))
  expect(screen.queryByText(/with a reason/)).toBeNull()
  expect(flipGroup).toHaveBeenCalledWith('system', groupOff)
})

test('any other tool by its own switch', async () => {
  const { flipWithReason } = open(tool)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Switch off with a reason…' }))
  expect(screen.queryByText(/whole group/)).toBeNull()
  expect(flipWithReason).toHaveBeenCalledWith(expect.objectContaining({ name: 'fetch_logs' }))
})

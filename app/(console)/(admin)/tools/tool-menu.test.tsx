import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { TooltipProvider } from '@/components/ui/tooltip'
import { toListing } from '@/lib/toolset/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { ToolMenu } from './tool-menu'

const tool = toListing(testTool('fetch_logs', { group: 'system' }), undefined, undefined)
const groupOff = { reason: 'Audit', changedByLabel: 'Ada', changedAt: '2026-11-22T00:00:00.000Z' }

function open(shown: typeof tool) {
  const flip = vi.fn()
  const flipWithReason = vi.fn()
  const toolSwitch = { flip, flipWithReason, reset: vi.fn(), pending: false, dialog: null }
  const groupSwitch = { flip: vi.fn(), dialog: null }
  render(
    <TooltipProvider>
      <ToolMenu tool={shown} toolSwitch={toolSwitch} groupSwitch={groupSwitch} />
    </TooltipProvider>,
  )
  fireEvent.keyDown(screen.getByRole('button', { name: 'More for fetch_logs' }), { key: 'Enter' })
  return { flipWithReason, flipGroup: groupSwitch.flip }
}

test('a tool that is off by its group is switched on by its group', () => {
  const { flipGroup } = open({ ...tool, groupOff })
  expect(screen.queryByText(/with a reason/)).toBeNull()
  fireEvent.click(screen.getByRole('menuitem', { name: 'Switch on the whole group system' }))
  expect(flipGroup).toHaveBeenCalledWith('system', groupOff)
})

test('any other tool by its own switch', () => {
  const { flipWithReason } = open(tool)
  expect(screen.queryByText(/whole group/)).toBeNull()
  fireEvent.click(screen.getByRole('menuitem', { name: 'Switch off with a reason…' }))
  expect(flipWithReason).toHaveBeenCalledWith(expect.objectContaining({ name: 'fetch_logs' }))
})

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { toListing } from '@/lib/toolset/tools/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { showInPage } from '@/tests/support/show-in-page'
import { setToolApproval } from '../actions'
import { ToolApproval } from './tool-approval'

vi.mock('../actions', () => ({ setToolApproval: vi.fn() }))
beforeEach(() => {
  const listing = toListing(testTool('save'))
  vi.mocked(setToolApproval).mockReset().mockResolvedValue({ ok: true, value: listing })
})

const toggle = () => screen.getByRole('switch', { name: 'Each call of save waits for approval' })

test('letting a tool write without approval takes a reason first', async () => {
  showInPage(<ToolApproval tool={toListing(testTool('save', { effect: 'write' }))} />)
  expect(toggle()).toBeChecked()
  await userEvent.click(toggle())
  expect(setToolApproval).not.toHaveBeenCalled()
  const act = () =>
    userEvent.click(screen.getByRole('button', { name: 'Let save write without approval' }))
  await screen.findByRole('dialog')
  await act()
  expect(await screen.findByText('Say why its calls need no approval.')).toBeInTheDocument()
  expect(setToolApproval).not.toHaveBeenCalled()
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'Only notes')
  await act()
  await waitFor(() =>
    expect(setToolApproval).toHaveBeenCalledExactlyOnceWith({
      name: 'save',
      asks: false,
      reason: 'Only notes',
    }),
  )
})

test('letting the calls of another tool wait happens at once', async () => {
  showInPage(<ToolApproval tool={toListing(testTool('save'))} />)
  expect(toggle()).not.toBeChecked()
  await userEvent.click(toggle())
  await waitFor(() =>
    expect(setToolApproval).toHaveBeenCalledExactlyOnceWith({
      name: 'save',
      asks: true,
      reason: '',
    }),
  )
})

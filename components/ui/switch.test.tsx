import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Checkbox } from './checkbox'
import { Switch } from './switch'

test('a switch and a tick box that are busy keep the focus and refuse presses', async () => {
  const change = vi.fn()
  const both = (busy: boolean) => (
    <>
      <Switch aria-label="Rule" checked={false} busy={busy} onCheckedChange={change} />
      <Checkbox aria-label="Group" checked={false} busy={busy} onCheckedChange={change} />
    </>
  )
  const { rerender } = render(both(false))
  for (const control of [screen.getByRole('switch'), screen.getByRole('checkbox')]) {
    change.mockClear()
    rerender(both(false))
    await userEvent.click(control)
    expect(change.mock.calls).toEqual([[true]])
    rerender(both(true))
    expect(control).toHaveFocus()
    expect(control).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(control)
    await userEvent.keyboard(' ')
    expect(control).not.toBeChecked()
    expect(change).toHaveBeenCalledTimes(1)
  }
})

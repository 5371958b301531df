import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useUnsavedGuard } from './use-unsaved-guard'

afterEach(() => vi.restoreAllMocks())

function Form({ unsaved }: { unsaved: boolean }) {
  useUnsavedGuard(unsaved)
  return (
    <>
      <a href="/elsewhere">Leave</a>
      <a href="#below">Further down</a>
      <a href="/elsewhere" target="_blank" rel="noreferrer">
        Beside
      </a>
    </>
  )
}

/** Whether the browser would have followed it. */
const follows = (link: string) => fireEvent.click(screen.getByText(link))
const closes = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('asks before a link or the closing of the tab takes what was typed, and only then', () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const { rerender } = render(<Form unsaved />)
  expect(follows('Leave')).toBe(false)
  expect(answer).toHaveBeenCalledTimes(1)
  answer.mockReturnValue(true)
  expect(follows('Leave')).toBe(true)
  expect(closes()).toBe(false)
  expect([follows('Further down'), follows('Beside')]).toEqual([true, true])
  expect(answer).toHaveBeenCalledTimes(2)

  rerender(<Form unsaved={false} />)
  expect([follows('Leave'), closes()]).toEqual([true, true])
  expect(answer).toHaveBeenCalledTimes(2)
})

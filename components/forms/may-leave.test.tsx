import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { mayLeave, useUnsavedGuard, watchHistory } from './may-leave'

afterEach(() => {
  vi.restoreAllMocks()
  window.history.replaceState(null, '', '/')
})

function Form({ unsaved }: { unsaved: boolean }) {
  useUnsavedGuard(unsaved)
  return (
    <>
      <a href="/elsewhere">Leave</a>
      <a href="#below">Further down</a>
      <a href="?changes=2">Same page</a>
      <a href="/elsewhere" target="_blank" rel="noreferrer">
        Beside
      </a>
    </>
  )
}

/** Returns whether the browser would have followed the click. */
const follows = (link: string) => fireEvent.click(screen.getByText(link))
const leaves = () => fireEvent.click(screen.getAllByText('Leave')[0] as HTMLElement)
const closes = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('asks before a link or the closing of the tab takes what was typed, and only then', () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const { rerender } = render(<Form unsaved />)
  expect(follows('Leave')).toBe(false)
  expect(answer).toHaveBeenCalledTimes(1)
  answer.mockReturnValue(true)
  expect(follows('Leave')).toBe(true)
  expect(closes()).toBe(false)
  expect(['Further down', 'Beside', 'Same page'].map(follows)).toEqual([true, true, true])
  expect(answer).toHaveBeenCalledTimes(2)

  rerender(<Form unsaved={false} />)
  expect([follows('Leave'), closes()]).toEqual([true, true])
  expect(answer).toHaveBeenCalledTimes(2)
})

it('asks once for whoever leads to another page without a link', () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const { rerender } = render(
    <>
      <Form unsaved />
      <Form unsaved />
    </>,
  )
  expect([mayLeave('/account'), mayLeave('/?page=2'), mayLeave()]).toEqual([false, true, false])
  expect(leaves()).toBe(false)
  expect(answer).toHaveBeenCalledTimes(3)
  rerender(<Form unsaved={false} />)
  expect(mayLeave('/account')).toBe(true)
  expect(answer).toHaveBeenCalledTimes(3)
})

it('stays on the page when Back is cancelled, and the router gets no event', async () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const router = vi.fn()
  watchHistory()
  window.addEventListener('popstate', router)
  window.history.pushState({ page: 'list' }, '', '/list')
  window.history.pushState({ page: 'form' }, '', '/form?step=1')
  render(<Form unsaved />)
  window.history.back()
  await waitFor(() => expect(answer).toHaveBeenCalledTimes(1))
  expect(window.location.href).toMatch(/\/form\?step=1$/)
  expect(window.history.state).toEqual({ page: 'form' })
  expect(router).not.toHaveBeenCalled()
  answer.mockReturnValue(true)
  window.history.back()
  await waitFor(() => expect(router).toHaveBeenCalledTimes(1))
  expect(window.location.pathname).toBe('/list')
  window.removeEventListener('popstate', router)
})

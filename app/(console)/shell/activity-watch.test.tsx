import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ActivityWatch } from './activity-watch'

const sent = vi.fn(async () => new Response(null, { status: 204 }))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', sent)
  sent.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('reports activity to the server at most once a minute, and only after input', async () => {
  const { unmount } = render(<ActivityWatch />)
  const use = () => window.dispatchEvent(new Event('pointerdown'))
  use()
  expect(sent).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10 * 60_000)
  expect(sent).not.toHaveBeenCalled()
  use()
  use()
  expect(sent.mock.calls).toEqual([['/api/session/activity', { method: 'POST', keepalive: true }]])
  vi.advanceTimersByTime(61_000)
  window.dispatchEvent(new Event('keydown'))
  expect(sent).toHaveBeenCalledTimes(2)
  unmount()
  vi.advanceTimersByTime(61_000)
  use()
  expect(sent).toHaveBeenCalledTimes(2)
})

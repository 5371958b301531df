import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import type { Waiting } from '@/lib/protocol/run/waiting'
import { roundStart, runId, start, stateOf } from '@/tests/support/trace-events'
import { LiveRun } from './live-run'
import { ReaderRoleProvider } from './reader-role'

/** A stream that says nothing. */
class SilentSource {
  addEventListener() {}
  close() {}
}

const reason = 'You have 32 active runs, the limit for one person.'
const third: Waiting = { for: 'person', place: 3, reason }
let answer: Waiting | null = third
const ask = vi.fn(async (_address: string) => Response.json({ waiting: answer }))

beforeEach(() => {
  vi.useFakeTimers()
  ask.mockClear()
  answer = third
  vi.stubGlobal('EventSource', SilentSource)
  vi.stubGlobal('fetch', ask)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

function show(initial = stateOf(start), waiting: Waiting | null = null, role = 'member' as const) {
  return render(<LiveRun runId={runId} initial={initial} initialWaiting={waiting} />, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={new QueryClient()}>
        <ReaderRoleProvider value={role}>
          <ToastProvider>{children}</ToastProvider>
        </ReaderRoleProvider>
      </QueryClientProvider>
    ),
  })
}

test('says where a run stands and why, keeps up, and says nothing when the run has begun', async () => {
  show(stateOf(start), third)
  expect(screen.getByText(`Waiting: place 3. ${reason}`)).toBeVisible()
  expect(screen.getByText('Waiting for a place')).toBeVisible()
  expect(screen.getByText('Waiting for a place.')).toHaveAttribute('aria-live', 'polite')
  expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull()
  answer = { for: 'server', place: 1, reason: 'All servers are busy.' }
  await after(600)
  expect(screen.getByText('Waiting: place 1. All servers are busy.')).toBeVisible()
  answer = null
  await after(2_100)
  expect(screen.queryByText(/^Waiting/)).toBeNull()
  expect(screen.getByText('Running')).toBeVisible()
})

test('finds that a run waits which was just started, and gives admins a link to the limits', async () => {
  show(stateOf(start), null, 'admin' as 'member')
  expect(screen.queryByText(/^Waiting/)).toBeNull()
  await after(600)
  expect(ask.mock.calls[0]?.[0]).toBe(`/api/runs/${runId}/waiting`)
  expect(screen.getByText(`Waiting: place 3. ${reason}`, { exact: false })).toBeVisible()
  const link = screen.getByRole('link', { name: 'Settings' })
  expect(link).toHaveAttribute('href', '/settings#runs-at-once')
})

test('does not ask about a run that has begun, and takes no answer that says something else', async () => {
  const { unmount } = show(stateOf(start, roundStart(1)))
  await after(10_000)
  expect(ask).not.toHaveBeenCalled()
  unmount()
  answer = { place: 'first' } as never
  show()
  await after(3_000)
  expect(ask).toHaveBeenCalled()
  expect(screen.queryByText(/^Waiting/)).toBeNull()
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { runId, start, stateOf } from '@/tests/support/trace-events'
import { LiveRun } from './live-run'
import { RunControlsProvider } from './run-controls'

/** A stream that says nothing. */
class SilentSource {
  addEventListener() {}
  close() {}
}

beforeEach(() => {
  vi.stubGlobal('EventSource', SilentSource)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

it('stops on Escape, unless something on the page used the key, also where it listens later', async () => {
  const stopRun = vi.fn(async () => ({ ok: true as const, value: null }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <RunControlsProvider value={{ stopRun, decideCostCap: stopRun }}>
          <LiveRun runId={runId} initial={stateOf(start)} />
        </RunControlsProvider>
      </ToastProvider>
    </QueryClientProvider>,
  )
  const use = (event: Event) => event.preventDefault()
  document.addEventListener('keydown', use)
  await userEvent.keyboard('{Escape}')
  expect(stopRun).not.toHaveBeenCalled()
  document.removeEventListener('keydown', use)
  await userEvent.keyboard('{Escape}')
  expect(stopRun).toHaveBeenCalledWith(expect.objectContaining({ runId }))
})

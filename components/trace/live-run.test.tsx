import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { openingOf } from '@/lib/protocol/run/run-opening'
import { call, end, message, roundStart, runId, start, stateOf } from '@/tests/support/trace-events'
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

const callsOf = (round: number) =>
  Array.from({ length: 9 }, (_, at) => ({ ...call('fetch_logs'), callId: `call-${round}-${at}` }))
const rounds = Array.from({ length: 40 }, (_, index) => index + 1)
const whole = stateOf(
  start,
  ...rounds.flatMap((round) => [
    roundStart(round),
    message(round, { text: `Text of round ${round}.`, toolCalls: callsOf(round) }),
  ]),
  end,
)

function showOpening() {
  const { state, left } = openingOf(whole)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <LiveRun runId={runId} initial={state} left={left} />
      </ToastProvider>
    </QueryClientProvider>,
  )
}

it('loads the rounds that the page left out, and says how many rounds there were only then', {
  timeout: 60_000,
}, async () => {
  let answer = (_: Response) => {}
  const ask = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)))
  vi.stubGlobal('fetch', ask)
  showOpening()
  expect(screen.getByText('Loading 25 more rounds …')).toBeVisible()
  expect(screen.queryByText('40 rounds')).toBe(null)
  expect(ask).toHaveBeenCalledWith(`/api/runs/${runId}/state`, expect.anything())
  answer(Response.json(whole))
  expect(await screen.findByText('40 rounds')).toBeVisible()
  expect(await screen.findByText('Text of round 40.', {}, { timeout: 30_000 })).toBeVisible()
  expect(screen.queryByText(/more rounds …/)).toBe(null)
})

it('says when the rest of a run could not be loaded, and tries again', async () => {
  const ask = vi.fn(async () => new Response('', { status: 503 }))
  vi.stubGlobal('fetch', ask)
  showOpening()
  expect(await screen.findByText('The other 25 rounds could not be loaded')).toBeVisible()
  ask.mockResolvedValue(Response.json(whole))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('40 rounds')).toBeVisible()
})

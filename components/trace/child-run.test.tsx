import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  runId,
  start,
  updatesOf,
} from '@/tests/support/trace-events'
import { ChildRun } from './child-run'
import type { LiveListener } from './live-hub'
import type { FollowPort } from './use-run-events'

/** Shows a run, and returns what its stream gets. */
function showChild({ answered = false } = {}) {
  const listeners: LiveListener[] = []
  const port: FollowPort = {
    follow: (_runId, _place, listener) => {
      listeners.push(listener)
      return () => undefined
    },
    nextFrame: (then) => {
      queueMicrotask(then)
      return () => undefined
    },
    whileShown: (show) => {
      show()
      return () => undefined
    },
  }
  render(<ChildRun runId={runId} answered={answered} port={port} />)
  const [listener] = listeners
  if (!listener) throw new Error('Nothing follows the run.')
  return listener
}

const request = message(1, { finishReason: 'tool-calls', toolCalls: [call('look')] })
const said = message(2, { text: 'Forty-two.' })
const whole = updatesOf(
  start,
  roundStart(1),
  request,
  callEnd('look', ok('x')),
  roundStart(2),
  said,
  end,
)

const tell = (listener: LiveListener, updates: typeof whole) =>
  act(async () => {
    for (const update of updates) listener.onUpdate(JSON.stringify(update), '1')
  })

test('a run that a call started is shown while it works, with its answer and what it cost', async () => {
  const listener = showChild()
  expect(screen.getByText('Loading…')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open run' })).toHaveAttribute('href', `/runs/${runId}`)
  await tell(listener, whole.slice(0, 3))
  expect(screen.getByText('1 round')).toBeVisible()
  expect(screen.getByText('1 call')).toBeVisible()
  expect(screen.queryByText('Forty-two.')).toBeNull()
  await tell(listener, whole.slice(3))
  expect(screen.getByText('2 rounds')).toBeVisible()
  expect(screen.getByText('Forty-two.')).toBeVisible()
  expect(screen.getByText('The last round was used up.')).toBeVisible()
})

test('a run that is gone, or of somebody else, is said to be', () => {
  const listener = showChild()
  act(() => listener.onState('refused'))
  expect(screen.getByText(/^Deleted, or you may not see it/)).toBeVisible()
})

test('an answer that the result of the call has is not said twice', async () => {
  const listener = showChild({ answered: true })
  await tell(listener, whole)
  expect(screen.getByText('2 rounds')).toBeVisible()
  expect(screen.queryByText('Forty-two.')).toBeNull()
})

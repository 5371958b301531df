import { render, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  runId,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { ReaderRoleProvider } from './reader-role'
import { Trace } from './trace'

const rounds = Array.from({ length: 90 }, (_, index) => index + 1)
const state = stateOf(
  start,
  ...rounds.flatMap((round) => [
    roundStart(round),
    message(round, { text: `Text of round ${round}.`, toolCalls: [call('fetch_logs')] }),
    callEnd('fetch_logs', ok('A line'), round),
  ]),
  end,
)

function trace() {
  return (
    <ReaderRoleProvider value="admin">
      <Trace runId={runId} state={state} />
    </ReaderRoleProvider>
  )
}

it('sends the beginning of a long run as HTML, and says what follows', () => {
  const html = renderToString(trace())
  expect(html.match(/aria-label="Round \d+"/g)).toHaveLength(75)
  expect(html).toContain('15 more rounds')
})

it('has every round of a long run in the end, in order', async () => {
  const { container } = render(trace())
  // By a selector, because finding so many parts by their roles takes this environment half a minute.
  const shown = () => [...container.querySelectorAll('section[aria-label^="Round "]')]
  await waitFor(() => expect(shown()).toHaveLength(rounds.length), { timeout: 30_000 })
  expect(shown().map((section) => section.getAttribute('aria-label'))).toEqual(
    rounds.map((round) => `Round ${round}`),
  )
  expect(container).toHaveTextContent('Text of round 90.')
  expect(container).not.toHaveTextContent('more rounds')
}, 60_000)

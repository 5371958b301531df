import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { end, message, roundStart, runId, start, stateOf } from '@/tests/support/trace-events'
import { ReaderRoleProvider } from './reader-role'
import { RunStrip } from './run-strip'
import { Trace } from './trace'

it('says of a round and of its run what came from the cache, and what that saved', () => {
  const usage = { ...emptyUsage, inputTokens: 1200, cachedInputTokens: 1000, outputTokens: 30 }
  const ended = { ...end, data: { ...end.data, usage } }
  const state = stateOf(start, roundStart(1), message(1, { text: 'Quiet.', usage }), ended)
  render(
    <ReaderRoleProvider value="admin">
      <RunStrip state={state} waiting={null} connection="closed" stopping={false} onStop={null} />
      <Trace runId={runId} state={state} />
    </ReaderRoleProvider>,
  )
  const words = '1 000 from the cache, saved $0.000999'
  const figures = screen.getAllByText((text) => text.replace(/\s/g, ' ') === words)
  expect(figures).toHaveLength(2)
})

it('says how full the context is only where an answer came', () => {
  const show = (state: ReturnType<typeof stateOf>) =>
    render(
      <RunStrip state={state} waiting={null} connection="closed" stopping={false} onStop={null} />,
    )
  const { unmount } = show(stateOf(start, roundStart(1), message(1, { text: '391.' }), end))
  expect(screen.getByText(/of context$/)).toBeVisible()
  unmount()
  show(stateOf(start, roundStart(1), end))
  expect(screen.queryByText(/of context$/)).toBeNull()
})

import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import { end, roundStart, runId, start, stateOf } from '@/tests/support/trace-events'
import { Trace } from './trace'

function show(...bodies: RunEventBody[]) {
  return render(<Trace runId={runId} state={stateOf(start, ...bodies)} />)
}

test('numbers tries from the first, and says what became of a request whose server stopped', () => {
  const failure = {
    category: 'server',
    status: 500,
    advice: 'It failed by itself.',
    incidentId: 'inc-2',
    retryAfterMs: null,
  } as const
  const usage = { ...emptyUsage, inputTokens: 120, outputTokens: 4, estimated: true }
  const lost = { round: 1, target: 0, latencyMs: 0, retries: 1, usage, costMicroUsd: 128 }
  show(
    roundStart(1),
    { type: 'model-retry', data: { round: 1, attempt: 1, delayMs: 400, failure } },
    { type: 'model-retry', data: { round: 1, attempt: 2, delayMs: 900, failure } },
    { type: 'request-lost', data: lost },
    { type: 'key-change', data: { round: 1, from: 'main', to: 'spare', failure } },
  )
  expect(
    screen.getByText('Changed from the key “main” to the key “spare”. It failed by itself.'),
  ).toBeVisible()
  expect(screen.getByText('Retry 1 in 400 ms. It failed by itself.')).toBeVisible()
  expect(screen.getByText('Retry 2 in 900 ms. Same reason as before.')).toBeVisible()
  expect(screen.getByText(/counted with estimates: 120 tokens in, 4 tokens out\./)).toBeVisible()
})

test('a failure that ended the run is explained once: at its end', () => {
  const failure: ProviderFailure = {
    category: 'auth',
    status: 401,
    advice: 'Check the key.',
    incidentId: 'inc-3',
    retryAfterMs: null,
  }
  const data = { ...end.data, reason: 'provider-error' as const, failure, message: failure.advice }
  show(
    roundStart(1),
    { type: 'model-retry', data: { round: 1, attempt: 1, delayMs: 400, failure } },
    { type: 'model-fallback', data: { round: 1, from: 0, to: 1, failure } },
    { ...end, data },
  )
  expect(screen.getAllByText(/Check the key\./)).toHaveLength(1)
  expect(screen.getByText(/The reason is at the end\.$/)).toBeVisible()
})

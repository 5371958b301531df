import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import { runFixture, runInput } from '@/tests/support/run-fixture'
import { fails, providerFailure, says } from '@/tests/support/scripted-model'
import { lostRequest } from './usage-of'

const first = '00000000-0000-7000-8000-0000000000f1'
const second = '00000000-0000-7000-8000-0000000000f2'

test('M5: a try that has a record of its own is not counted again, and the next has its own amounts', async () => {
  const run = runFixture({ script: [fails('server'), says('Done.')] })
  await runAgent(runInput(), run.deps)
  const at = run.events.findIndex(({ type }) => type === 'model-retry')
  const begun = run.events.slice(0, at)
  const place = (body: RunEventBody, seq: number) => ({ ...body, runId: 'run-1', seq, at: 1e15 })
  const used = { usage: emptyUsage, costMicroUsd: 0, reservationId: first }
  const failedCall = { round: 1, target: 0, latencyMs: 5, retries: 0, used }
  const failure = providerFailure('rate-limited')
  const data = { round: 1, attempt: 1, delayMs: 60_000, failure, failedCall }
  const state = foldRun([...begun, place({ type: 'model-retry', data }, at + 1)])
  expect(lostRequest(state)).toBeNull()

  const next = { round: 1, target: 0, attempt: 2, reservationId: second }
  const again = foldRun([place({ type: 'request-start', data: next }, at + 2)], state)
  expect(lostRequest(again)?.data).toMatchObject({
    retries: 0,
    reservationId: second,
    usage: { estimated: true },
  })
})

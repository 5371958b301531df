import { expect, test } from 'vitest'
import { initialRunState } from '@/lib/protocol/run/fold-run'
import { runFixture, typesOf } from '@/tests/support/run-fixture'
import { endRun, openRunStep } from './run-step'

test('R16: a run that has its end gets no other', () => {
  const run = runFixture({})
  const step = openRunStep(initialRunState, run.deps)
  endRun(step, { reason: 'completed', message: 'The model answered.' })
  endRun(step, { reason: 'internal-error', message: 'And then it broke.' })
  expect(typesOf(run.events)).toEqual(['run-end'])
})

import { expect, test } from 'vitest'
import { applyRunEvent, foldRun, initialRunState } from '@/lib/protocol/run/fold-run'
import { runFixture, runInput, typesOf } from '@/tests/support/run-fixture'
import { runStart, type StartType } from './deps'
import { endRun, openRunStep, startOf, warn } from './run-step'

function openStep() {
  const { deps, events } = runFixture({})
  const nothing = { accepted: [], rejected: [] }
  const first = deps.journal.append(runStart(runInput(), nothing, deps.newId))
  const before = applyRunEvent(initialRunState, first)
  return { before, deps, events }
}

const roundStart = {
  type: 'round-start' as const satisfies StartType,
  data: { round: 1, closing: false, target: 0, offered: [], contextTokens: 1 },
}
const warning = { round: null, code: 'cost-cap' as const, message: 'The cap is near.' }

test('the state of a step has each event as soon as it is recorded', () => {
  const { before, deps } = openStep()
  const step = openRunStep(before, deps)
  expect(step.state()).toBe(before)
  warn(step, warning)
  expect(step.state().notes).toMatchObject([{ data: { tellModel: false, prunedThrough: null } }])
  expect(startOf(step.state())).toBe(startOf(before))
})

test('an event with a lower number counts, too, when it comes after the state was read', async () => {
  const { before, deps, events } = openStep()
  let durable = () => {}
  const written = new Promise<void>((resolve) => {
    durable = resolve
  })
  const step = openRunStep(before, {
    ...deps,
    journal: {
      ...deps.journal,
      // A database gives the number first and answers when the event is durable.
      begin: async (start) => {
        const event = deps.journal.append(start)
        await written
        return { verdict: { allowed: true }, event }
      },
    },
  })
  const begun = step.begin(roundStart, () => ({ allowed: true }))
  warn(step, warning)
  expect(step.state().notes).toHaveLength(1)
  durable()
  await begun
  expect(step.state().rounds).toHaveLength(1)
  expect(step.state()).toEqual(foldRun(events))
})

test('a step that is over drops what its remaining work records', () => {
  const { before, deps, events } = openStep()
  const step = openRunStep(before, deps)
  step.release()
  warn(step, warning)
  expect(events).toHaveLength(1)
  expect(step.signal.reason).toEqual({ type: 'released' })
})

test('R16: a run that has its end gets no other', () => {
  const run = runFixture({})
  const step = openRunStep(initialRunState, run.deps)
  endRun(step, { reason: 'completed', message: 'The model answered.' })
  endRun(step, { reason: 'internal-error', message: 'And then it broke.' })
  expect(typesOf(run.events)).toEqual(['run-end'])
})

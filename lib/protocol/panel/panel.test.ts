import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { EndReason, type RunEvent } from '@/lib/protocol/run/run-event'
import { runFixture, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { says } from '@/tests/support/scripted-model'
import { capSummary, ownCapSummary, viewPanel } from './panel'

const limits = { costCap: null }

/** Returns the events of a run whose one answer costs 120 micro-USD, with another end. */
async function eventsOf(reason: EndReason): Promise<RunEvent[]> {
  const run = runFixture({ script: [says('Done.')] })
  await runAgent(runInput({ snapshot: runSnapshot() }), run.deps)
  return run.events.map((event) =>
    event.type === 'run-end' ? { ...event, data: { ...event.data, reason } } : event,
  )
}

test('SPEC Q3: whatever becomes of its members, in whatever order, a panel ends exactly once, with the last of them', async () => {
  const plain = await eventsOf('completed')
  const journalOf = (reason: EndReason) =>
    plain.map((event) =>
      event.type === 'run-end' ? { ...event, data: { ...event.data, reason } } : event,
    )
  const reasons = fc.array(fc.constantFrom(...EndReason.options), { minLength: 1, maxLength: 8 })
  const order = fc.array(fc.nat(7), { minLength: 8, maxLength: 120 })
  fc.assert(
    fc.property(reasons, order, (ends, places) => {
      const journals = ends.map(journalOf)
      const states: RunState[] = journals.map(() => foldRun([]))
      const read = journals.map(() => 0)
      let wasOver = false
      let ended = 0
      const step = (place: number) => {
        const event = journals[place]?.[read[place] ?? 0]
        const state = states[place]
        if (!event || !state) return
        read[place] = (read[place] ?? 0) + 1
        states[place] = foldRun([event], state)
        const { open, endedAt } = viewPanel(limits, states)
        expect(open).toBe(states.filter(({ end }) => !end).length)
        expect(endedAt === null).toBe(open > 0)
        if (open === 0 && !wasOver) ended += 1
        if (wasOver) expect(open).toBe(0)
        wasOver = open === 0
      }
      for (const place of places) step(place % journals.length)
      for (const [place, journal] of journals.entries()) for (const _ of journal) step(place)
      expect(ended).toBe(1)
      const view = viewPanel(limits, states)
      expect(view.endedAt).toBe(Math.max(...states.map(({ end }) => end?.at ?? 0)))
      expect(view.costMicroUsd).toBe(120 * ends.length)
    }),
  )
})

test('a cap says what it saw, also when it is reached exactly, and blocks only where it ended a run', async () => {
  const state = foldRun(await eventsOf('completed'))
  const cap = { mode: 'enforce' as const, limitMicroUsd: 240 }
  expect(viewPanel({ ...limits, costCap: cap }, [state]).cap).toMatchObject({ exceeded: false })
  expect(viewPanel({ ...limits, costCap: cap }, [state, state]).cap).toEqual({
    ...cap,
    decision: null,
    observedMicroUsd: 240,
    exceeded: true,
    blocked: false,
  })
  const unpriced = { ...state, costMicroUsd: null }
  expect(viewPanel({ ...limits, costCap: cap }, [state, unpriced]).cap).toMatchObject({
    observedMicroUsd: null,
    exceeded: true,
  })
})

test('SPEC M4: a cap of one run says what it saw, and asks its person once it only warned and the run goes on', async () => {
  const caps = [{ scope: 'run', mode: 'warn', limitMicroUsd: 120 } as const]
  const run = runFixture({ script: [says('Done.')] })
  await runAgent(runInput({ snapshot: runSnapshot({ costCaps: caps }) }), run.deps)
  const ended = foldRun(run.events)
  const seen = { mode: 'warn', limitMicroUsd: 120, decision: null, observedMicroUsd: 120 }
  const cap = { ...seen, exceeded: true, blocked: false }
  expect(ownCapSummary(ended, 'member')).toEqual({ ...cap, operatorPrompt: null })
  const goesOn = { ...ended, end: null }
  expect(ownCapSummary(goesOn, 'member')).toEqual({
    ...cap,
    operatorPrompt: {
      question:
        'The run has cost $0.00012 and reached its cap of $0.00012. End it with a final answer (enforce), go on with the warning (warn), or go on without (ignore)?',
      choices: ['enforce', 'warn', 'ignore'],
    },
  })
  const chosen = {
    ...goesOn,
    costCapDecision: { choice: 'warn' as const, by: 'ada@example.org', spentMicroUsd: 120 },
  }
  expect(ownCapSummary(chosen, 'admin')).toMatchObject({ operatorPrompt: null })
  const below = { ...goesOn, costMicroUsd: 119 }
  expect(ownCapSummary(below, 'admin')).toMatchObject({ exceeded: false, operatorPrompt: null })
  const unpriced = ownCapSummary({ ...goesOn, costMicroUsd: null }, 'admin')
  expect(unpriced?.operatorPrompt?.question).toMatch(/^The cost of the run is unknown, so its cap/)
  expect(ownCapSummary(foldRun(await eventsOf('completed')), 'admin')).toBeNull()
})

test('SPEC Q3: a member is offered no choice about the cap of a panel that is looser than that of its task', () => {
  const cap = { mode: 'enforce' as const, limitMicroUsd: 5, setBy: 'task' as const }
  const view = { ...cap, decision: null, observedMicroUsd: 5, exceeded: true, blocked: false }
  const caps = [{ scope: 'panel' as const, ...cap }]
  const request = (mode: 'warn' | 'enforce') =>
    capSummary({ ...view, mode }, { caps, role: 'member', goesOn: true }).operatorPrompt
  expect(request('enforce')).toBeNull()
  expect(request('warn')).toMatchObject({
    question: expect.stringContaining('The panel has cost'),
    choices: ['enforce'],
  })
})

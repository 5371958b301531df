import { expect, test } from 'vitest'
import { unpriced } from '@/lib/protocol/cost/cost'
import { refuseCostly } from '@/lib/runs/conversations/earlier-turns'
import { StartRunInput } from '@/lib/runs/schemas'
import { modelTarget, runSnapshot } from '@/tests/support/run-fixture'
import { ownCap, withRunCap } from './plan-run'

const cap = { mode: 'enforce', limitMicroUsd: 5 } as const

test('the cap of a run stands beside the others and widens none', () => {
  const costCaps = [{ scope: 'configuration', mode: 'enforce', limitMicroUsd: 1 } as const]
  const { costCaps: all } = withRunCap(runSnapshot({ costCaps }), { costCap: cap })
  expect(all).toEqual([...costCaps, { scope: 'run', ...cap }])
  expect(withRunCap(runSnapshot({ costCaps }), { costCap: null }).costCaps).toEqual(costCaps)
})

test('a run with a cap that cannot be checked does not start', () => {
  const snapshot = runSnapshot({ targets: [modelTarget({ prices: unpriced })] })
  expect(() => withRunCap(snapshot, { costCap: cap })).toThrow('test-model has no price')
  const tiered = modelTarget({ prices: unpriced, unpricedTier: 'priority' })
  expect(() => withRunCap(runSnapshot({ targets: [tiered] }), { costCap: cap })).toThrow(
    'test-model has no price in the service tier priority',
  )
  const warns = { costCap: { ...cap, mode: 'warn' as const } }
  expect(withRunCap(snapshot, warns).costCaps).toHaveLength(1)
})

test('SPEC C1: a conversation that reached a cap, or whose cost is unknown, is not continued where the cap is enforced', () => {
  const costing = (microUsd: number | null) => () =>
    refuseCostly({ microUsd, bound: 'about' }, { costCaps: [{ scope: 'run', ...cap }] })
  expect(costing(4)).not.toThrow()
  expect(costing(5)).toThrow(
    'This conversation has cost about $0.000005 and reached the cost cap of $0.000005. Start a new conversation, or raise the cap.',
  )
  expect(costing(null)).toThrow('The cost of this conversation is unknown')
  const warns = [{ scope: 'run', mode: 'warn', limitMicroUsd: 5 } as const]
  expect(() => refuseCostly({ microUsd: null, bound: 'exact' }, { costCaps: warns })).not.toThrow()
})

test('the cap “off” of a run means none, and lifts none that its configuration or task sets', () => {
  const request = (costCap: object) =>
    StartRunInput.parse({ configuration: 'c', prompt: 'p', costCap })
  const off = request({ mode: 'off' }).costCap
  expect(ownCap(off, { costCaps: [] })).toBeNull()
  for (const scope of ['configuration', 'task'] as const) {
    const costCaps = [{ scope, mode: 'warn', limitMicroUsd: 500_000 } as const]
    expect(() => ownCap(off, { costCaps })).toThrow(
      `The ${scope} sets a cost cap of $0.50, which a run cannot lift.`,
    )
    expect(ownCap(null, { costCaps })).toBeNull()
    expect(ownCap(request({ limitMicroUsd: 7 }).costCap, { costCaps })).toEqual({
      mode: 'warn',
      limitMicroUsd: 7,
    })
  }
  expect(() => request({ mode: 'enforce' })).toThrow('Enter the amount of the cost cap.')
})

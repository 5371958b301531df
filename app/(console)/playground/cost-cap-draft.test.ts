import { expect, test } from 'vitest'
import { runSnapshot } from '@/tests/support/run-fixture'
import { capError, capInput, capOf, noCap } from './run-draft'

test('a cap warns unless somebody says otherwise (SPEC M4)', () => {
  expect(capInput({ ...noCap, costCap: '1' })).toEqual({ mode: 'warn', limitMicroUsd: 1_000_000 })
})

test('no figure is no cap', () => {
  expect(capInput(noCap)).toBeNull()
  expect(capError({ ...noCap, costCap: ' ' })).toBeNull()
})

test('a figure is in dollars, and is read back unchanged from the run', () => {
  const cap = capInput({ costCap: '$0.5', costCapMode: 'warn' })
  expect(cap).toEqual({ mode: 'warn', limitMicroUsd: 500_000 })
  const costCaps = cap ? [{ scope: 'run' as const, ...cap }] : []
  expect(capOf(runSnapshot({ costCaps }))).toEqual({ costCap: '0.50', costCapMode: 'warn' })
})

test.each(['0', 'lots', '-1', '1e9'])('%s is an error', (costCap) => {
  expect(capError({ ...noCap, costCap })).toContain('US dollars')
})

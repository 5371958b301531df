import { expect, test } from 'vitest'
import { costCapChoices } from './cost-caps'
import type { CostCap } from './money'

const cap = (scope: CostCap['scope'], mode: CostCap['mode']): CostCap[] => [
  { scope, mode, limitMicroUsd: 1 },
]
const all = ['enforce', 'warn', 'ignore']

test.each([
  ['a cap of their own', cap('run', 'enforce'), null, all],
  ['a cap that warns', cap('configuration', 'warn'), null, all],
  ['a cap that an admin enforces', cap('task', 'enforce'), null, ['enforce']],
  ['an admin who enforced it for this run', cap('run', 'warn'), 'enforce', ['enforce']],
  ['an admin who let it warn', cap('run', 'enforce'), 'warn', ['enforce', 'warn']],
  ['an admin who lifted what another enforces', cap('task', 'enforce'), 'ignore', all],
] as const)('%s leaves a member what is as strict', (_, caps, byAdmin, choices) => {
  expect(costCapChoices(caps, 'member', byAdmin)).toEqual(choices)
  expect(costCapChoices(caps, 'admin', byAdmin)).toEqual(all)
})

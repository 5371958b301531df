import { expect, test } from 'vitest'
import { fullAt } from './reads'

const day = {
  enabled: true,
  amount: 100,
  now: new Date('2026-03-01T06:00:00Z'),
  countedFrom: new Date('2026-03-01T00:00:00Z'),
  resetsAt: new Date('2026-03-02T00:00:00Z'),
}

test('after a quarter of the day and half of the money, it is used up after another quarter', () => {
  expect(fullAt({ ...day, spent: 50 })).toEqual(new Date('2026-03-01T12:00:00Z'))
})

test.each([
  ['nothing was spent', { spent: 0 }, null],
  ['it lasts until it resets', { spent: 25 }, null],
  ['it is off', { spent: 50, enabled: false }, null],
  ['it is full', { spent: 100 }, day.now],
  ['it was made this very moment', { spent: 50, countedFrom: day.now }, new Date(+day.now + 1)],
])('%s', (_when, part, expected) => {
  expect(fullAt({ ...day, ...part })).toEqual(expected)
})

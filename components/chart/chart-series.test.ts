import { expect, test } from 'vitest'
import { chartSeries } from './chart-series'

const steps = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
const point = { calls: 0, runs: 0, errors: 0, p50Ms: null, p95Ms: null }
const parts = [
  { key: 'a', label: 'Model A' },
  { key: 'b', label: 'Model B' },
]

test('parts are stacked in their order, gaps are 0, and what has no figure is left out', () => {
  const points = [
    { ...point, at: steps[0] ?? '', part: 'a', costMicroUsd: 5 },
    { ...point, at: steps[1] ?? '', part: null, costMicroUsd: 7 },
  ]
  expect(chartSeries('cost', steps, parts, points)).toEqual([
    { id: 'part-0', label: 'Model A', values: [5, 0] },
    { id: 'rest', label: 'All others', values: [0, 7] },
  ])
})

test('a part without a price is kept with its unpriced requests', () => {
  const points = [{ ...point, at: steps[1] ?? '', part: 'a', costMicroUsd: 0, unpriced: 3 }]
  expect(chartSeries('cost', steps, parts, points)).toEqual([
    { id: 'part-0', label: 'Model A', values: [0, 0], unpriced: [0, 3] },
  ])
  expect(chartSeries('calls', steps, parts, points)).toEqual([])
})

test('tokens are those in and out', () => {
  const points = [{ ...point, at: steps[0] ?? '', part: 'b', inputTokens: 3, outputTokens: 4 }]
  expect(chartSeries('tokens', steps, parts, points)).toEqual([
    { id: 'part-1', label: 'Model B', values: [7, 0] },
  ])
})

test('latency is two lines, with a gap where nothing was asked', () => {
  const points = [{ ...point, at: steps[1] ?? '', part: null, p50Ms: 10, p95Ms: 90 }]
  expect(chartSeries('latency', steps, parts, points).map(({ values }) => values)).toEqual([
    [null, 10],
    [null, 90],
  ])
})

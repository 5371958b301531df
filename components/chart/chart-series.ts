import type { UsageMeasure } from '@toolgate/server/domains/usage/usage-filter'

/**
 * One series of a chart: `values[i]` belongs to `steps[i]`; null = unknown. `unpriced[i]` requests have no price, so a cost
 * is at least the value; absent = there are none.
 */
export type ChartSeries = {
  id: string
  label: string
  values: (number | null)[]
  unpriced?: number[]
  /** Colour with a meaning, as red for failures; absent: one by its position. */
  colour?: string
}

type Point = {
  at: string
  part: string | null
  calls: number
  runs: number | null
  errors: number
  inputTokens?: number
  outputTokens?: number
  costMicroUsd?: number
  unpriced?: number
  p50Ms: number | null
  p95Ms: number | null
}

type Part = { key: string; label: string }

/** Returns the stacked parts in order, the rest last; for latency, two lines. Parts of which nothing is known are left out. */
export function chartSeries(
  measure: UsageMeasure,
  steps: readonly string[],
  parts: readonly Part[],
  points: readonly Point[],
): ChartSeries[] {
  const find = placeOf(points)
  if (measure === 'latency') {
    const line = (id: string, label: string, pick: (point: Point) => number | null) => ({
      id,
      label,
      values: steps.map((step) => {
        const point = find(step, null)
        return point ? pick(point) : null
      }),
    })
    return [
      line('p50', 'Median (p50)', ({ p50Ms }) => p50Ms),
      line('p95', 'p95', ({ p95Ms }) => p95Ms),
    ]
  }
  const stacked = (id: string, label: string, key: string | null): ChartSeries => ({
    id,
    label,
    values: steps.map((step) => {
      const point = find(step, key)
      return point ? figureOf(measure, point) : 0
    }),
    ...unpricedOf(steps.map((step) => (measure === 'cost' ? find(step, key)?.unpriced : 0) ?? 0)),
  })
  return [
    ...parts.map(({ key, label }, index) => stacked(`part-${index}`, label, key)),
    stacked('rest', parts.length > 0 ? 'All others' : 'All', null),
  ].filter(({ values, unpriced }) => unpriced !== undefined || values.some((value) => value))
}

function unpricedOf(requests: number[]): Pick<ChartSeries, 'unpriced'> {
  return requests.some((count) => count > 0) ? { unpriced: requests } : {}
}

function placeOf(points: readonly Point[]) {
  const byPlace = new Map(points.map((point) => [`${point.at} ${point.part ?? ''}`, point]))
  return (step: string, part: string | null) => byPlace.get(`${step} ${part ?? ''}`)
}

function figureOf(measure: Exclude<UsageMeasure, 'latency'>, point: Point): number {
  switch (measure) {
    case 'cost':
      return point.costMicroUsd ?? 0
    case 'tokens':
      return (point.inputTokens ?? 0) + (point.outputTokens ?? 0)
    case 'calls':
      return point.calls
    case 'runs':
      return point.runs ?? 0
    case 'errors':
      return point.errors
    default:
      return measure satisfies never
  }
}

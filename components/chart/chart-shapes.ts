import type { ChartSeries } from './chart-series'

/** The height of the drawing in its own units; a step is one unit wide. */
const height = 1000

/** Returns the figure at the top of a chart, and the round figures that it marks, from 0 on. */
export function niceScale(
  series: readonly ChartSeries[],
  isStacked: boolean,
): { top: number; ticks: number[] } {
  const steps = series[0]?.values.length ?? 0
  const highest = Array.from({ length: steps }, (_, step) => {
    const values = series.map(({ values }) => values[step] ?? 0)
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
  })
  const rough = Math.max(1, ...highest) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)
  // Whole figures only: there is no half request.
  const distance = Math.max(1, Math.ceil(round ?? rough))
  const count = Math.max(1, Math.ceil(Math.max(1, ...highest) / distance))
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * distance)
  return { top: count * distance, ticks }
}

type Paths = { shape: string; dots?: string }

/** Returns one path for each part: its bars, each on top of the bars of the parts before it. */
export function barPaths(series: readonly ChartSeries[], top: number): Paths[] {
  const below: number[] = []
  return series.map(({ values }) => {
    const bars = values.map((value, step) => {
      const from = below[step] ?? 0
      const to = from + (value ?? 0)
      below[step] = to
      return to > from ? `M${step + 0.5} ${yOf(from, top)}V${yOf(to, top)}` : ''
    })
    return { shape: bars.join('') }
  })
}

/** Returns one path for each line, and one for its dots. A line has a gap where a figure is unknown. */
export function linePaths(series: readonly ChartSeries[], top: number): Paths[] {
  return series.map(({ values }) => {
    const points = values.map((value, step) =>
      value === null ? null : `${step + 0.5} ${yOf(value, top)}`,
    )
    const line = points.map((point, step) => point && `${points[step - 1] ? 'L' : 'M'}${point}`)
    return { shape: line.join(''), dots: points.map((point) => point && `M${point}h0`).join('') }
  })
}

function yOf(value: number, top: number): number {
  return Math.round(height * (1 - value / top))
}

/** Returns the step that a key goes to, from the chosen one or from the last; null = the key means nothing here. */
export function stepAfterKey(key: string, chosen: number | null, last: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, (chosen ?? last + 1) - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, (chosen ?? last - 1) + 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { barPaths, linePaths, niceScale } from './chart-shapes'
import { figureText } from './chart-words'
import { ChartTooltip, UsageChart } from './usage-chart'

const series = [
  { id: 'a', label: 'A', values: [2, 0, 5] },
  { id: 'b', label: 'B', values: [2, 0, 3] },
]
const steps = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => `${day}T00:00:00.000Z`)
const drawn = { step: 'day', steps, series } as const

test.each([
  ['calls', true],
  // A run that asked two models is one run.
  ['runs', false],
  ['latency', false],
] as const)('parts of %s are added up: %s', (measure, summed) => {
  render(<ChartTooltip measure={measure} {...drawn} index={0} />)
  expect(screen.getByText('A')).toBeTruthy()
  expect(screen.queryByText('Total') !== null).toBe(summed)
})

test('the arrow keys read one step after the other', async () => {
  render(<UsageChart measure="calls" {...drawn} label="Requests by model" />)
  expect(screen.getByRole('img', { name: 'Requests by model' })).toBeVisible()
  const reader = screen.getByRole('slider')
  await userEvent.tab()
  expect(reader).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  expect(reader).toHaveAttribute('aria-valuetext', '3 Jan: A 5, B 3')
  expect(reader).toHaveTextContent(/3 Jan.*Total8/)
  await userEvent.keyboard('{ArrowLeft}')
  expect(reader).toHaveTextContent('2 JanNo data')
  await userEvent.keyboard('{Home}{ArrowLeft}')
  expect(reader).toHaveAttribute('aria-valuenow', '0')
  await userEvent.keyboard('{Escape}')
  expect(reader).not.toHaveTextContent('Total')
})

test('a chart without a figure above 0 says so instead of drawing an empty scale', () => {
  render(<UsageChart measure="cost" {...drawn} series={[]} label="Cost by model" />)
  expect(screen.getByText('No figures yet.')).toBeVisible()
  expect(screen.queryByRole('slider')).toBeNull()
})

test('one day is nothing to compare with', () => {
  const one = [{ id: 'a', label: 'A', values: [0, 3, 0] }]
  render(<UsageChart measure="calls" {...drawn} series={one} label="Requests by model" />)
  expect(screen.getByText('A chart needs figures of two days.')).toBeVisible()
  expect(screen.queryByRole('slider')).toBeNull()
})

const partly = [{ id: 'a', label: 'A', values: [2, 0, 3], unpriced: [0, 1, 0] }]

test('a cost that lacks unpriced requests is a lower bound, never 0', () => {
  render(<UsageChart measure="cost" {...drawn} series={partly} label="Cost by model" />)
  expect(screen.getByText('1 request unpriced, not drawn.')).toBeVisible()
  render(<ChartTooltip measure="cost" {...drawn} series={partly} index={1} />)
  expect(screen.getByText('unpriced')).toBeVisible()
  const both = [...partly, { id: 'b', label: 'B', values: [0, 5, 0] }]
  render(<ChartTooltip measure="cost" {...drawn} series={both} index={1} />)
  expect(screen.getByText('at least $0.000005')).toBeVisible()
})

test('a cost of which nothing is known says which requests are unpriced', () => {
  const unknown = [{ id: 'a', label: 'A', values: [0, 0, 0], unpriced: [0, 11, 1] }]
  render(<UsageChart measure="cost" {...drawn} series={unknown} label="Cost by model" />)
  expect(screen.getByText('12 requests unpriced.')).toBeVisible()
})

test('bars stand on one another and lines have gaps', () => {
  expect(barPaths(series, 10).map(({ shape }) => shape)).toEqual([
    'M0.5 1000V800M2.5 1000V500',
    'M0.5 800V600M2.5 500V200',
  ])
  const [line] = linePaths([{ id: 'p50', label: 'p50', values: [1, 2, null, 3] }], 4)
  expect(line).toEqual({
    shape: 'M0.5 750L1.5 500M3.5 250',
    dots: 'M0.5 750h0M1.5 500h0M3.5 250h0',
  })
})

test.each([
  [[0], 1, [0, 1]],
  [[3], 3, [0, 1, 2, 3]],
  [[9], 10, [0, 5, 10]],
  [[41], 60, [0, 20, 40, 60]],
  [[1_234_567], 1_500_000, [0, 500_000, 1_000_000, 1_500_000]],
])('%s is drawn up to %s', (values, top, ticks) => {
  expect(niceScale([{ id: 'a', label: 'A', values }], true)).toEqual({ top, ticks })
})

test('figures carry their unit', () => {
  expect(figureText('cost', 1_500_000)).toBe('$1.50')
  expect(figureText('latency', 1240)).toBe('1.24 s')
  expect(figureText('tokens', 12)).toBe('12')
})

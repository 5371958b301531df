import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ChartTooltip } from './usage-chart'

const series = ['a', 'b'].map((id) => ({ id, label: id.toUpperCase(), values: [1] }))
const shown = {
  active: true,
  label: '2026-01-01T00:00:00.000Z',
  payload: series.map(({ id }) => ({ dataKey: id, value: 2 })),
}

test.each([
  ['calls', true],
  // A run that asked two models is one run.
  ['runs', false],
  ['latency', false],
] as const)('parts of %s are added up: %s', (measure, summed) => {
  render(<ChartTooltip measure={measure} step="day" series={series} {...shown} />)
  expect(screen.getByText('A')).toBeTruthy()
  expect(screen.queryByText('Total') !== null).toBe(summed)
})

'use client'
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import type { UsageMeasure } from '@/lib/domains/usage/usage-filter'
import type { UsageStep } from '@/lib/domains/usage/usage-window'
import type { ChartSeries } from './chart-series'
import { figureText, seriesColour, stepLabel } from './usage-words'

type Props = {
  measure: UsageMeasure
  step: UsageStep
  /** The starts of the steps, as ISO text in UTC. */
  steps: readonly string[]
  series: readonly ChartSeries[]
  /** What the chart shows, in words. */
  label: string
}

const axis = {
  stroke: 'var(--color-line-strong)',
  tick: { fill: 'var(--color-muted)', fontSize: 12 },
  tickLine: false,
}

/** Shows usage over time: parts stacked in bars, latency as lines. Its figures are also in the table below. */
export function UsageChart({ measure, step, steps, series, label }: Props) {
  const data = steps.map((at, index) => ({
    at,
    ...Object.fromEntries(series.map(({ id, values }) => [id, values[index]])),
  }))
  const Chart = measure === 'latency' ? LineChart : BarChart
  return (
    <figure className="flex min-w-0 flex-col gap-3 overflow-hidden rounded-md border bg-surface-1 p-3">
      <div className="h-64 min-w-0 overflow-hidden" role="img" aria-label={label}>
        <ResponsiveContainer width="100%" height="100%">
          <Chart data={data} margin={{ top: 8, right: 8, bottom: 0, left: 8 }}>
            <CartesianGrid vertical={false} stroke="var(--color-line)" />
            <XAxis
              dataKey="at"
              tickFormatter={(at) => stepLabel(String(at), step)}
              minTickGap={24}
              {...axis}
            />
            <YAxis
              tickFormatter={(value) => figureText(measure, Number(value))}
              width={72}
              allowDecimals={false}
              axisLine={false}
              {...axis}
            />
            <Tooltip
              cursor={{ fill: 'var(--color-surface-2)', stroke: 'var(--color-line)' }}
              isAnimationActive={false}
              content={<ChartTooltip measure={measure} step={step} series={series} />}
            />
            {series.map(({ id, label: name }, index) =>
              measure === 'latency' ? (
                <Line
                  key={id}
                  dataKey={id}
                  name={name}
                  stroke={seriesColour(id, index)}
                  strokeWidth={2}
                  dot={{ r: 2 }}
                  isAnimationActive={false}
                />
              ) : (
                <Bar
                  key={id}
                  dataKey={id}
                  name={name}
                  stackId="all"
                  fill={seriesColour(id, index)}
                  maxBarSize={40}
                  isAnimationActive={false}
                />
              ),
            )}
          </Chart>
        </ResponsiveContainer>
      </div>
      <figcaption>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {series.map(({ id, label: name }, index) => (
            <li key={id} className="flex min-w-0 items-center gap-1.5">
              <span
                className="size-2.5 shrink-0 rounded-sm"
                style={{ background: seriesColour(id, index) }}
                aria-hidden
              />
              <span className="truncate">{name}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

type ChartTooltipProps = {
  measure: UsageMeasure
  step: UsageStep
  series: readonly ChartSeries[]
  /** Given by the chart. */
  active?: boolean
  label?: string | number
  payload?: readonly { dataKey?: unknown; value?: unknown }[]
}

/** Lists the values of one step by part, in the order of the bar from the top. */
export function ChartTooltip({
  measure,
  step,
  series,
  active,
  label,
  payload = [],
}: ChartTooltipProps) {
  if (!active || label === undefined) return null
  const shown = series
    .map((each, index) => ({
      ...each,
      colour: seriesColour(each.id, index),
      value: payload.find(({ dataKey }) => dataKey === each.id)?.value,
    }))
    .filter(({ value }) => typeof value === 'number' && value > 0)
    .reverse()
  const sum = shown.reduce((total, { value }) => total + Number(value), 0)
  return (
    <div className="flex max-w-80 flex-col gap-1 rounded-md border bg-surface-1 px-3 py-2 text-sm shadow-float">
      <p className="font-semibold text-strong">
        {stepLabel(String(label), step)}
        {step === 'hour' && ' UTC'}
      </p>
      {shown.length === 0 && <p className="text-muted">No data</p>}
      {shown.map(({ id, label: name, colour, value }) => (
        <p key={id} className="flex items-center gap-2">
          <span
            className="size-2.5 shrink-0 rounded-sm"
            style={{ background: colour }}
            aria-hidden
          />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="numeric">{figureText(measure, Number(value))}</span>
        </p>
      ))}
      {addsUp(measure) && shown.length > 1 && (
        <p className="flex justify-between gap-4 border-t pt-1">
          <span>Total</span>
          <span className="numeric">{figureText(measure, sum)}</span>
        </p>
      )}
    </div>
  )
}

/** Returns whether the parts add up to the total. Runs do not: a run that used two models counts for each of them. */
function addsUp(measure: UsageMeasure): boolean {
  return measure !== 'latency' && measure !== 'runs'
}

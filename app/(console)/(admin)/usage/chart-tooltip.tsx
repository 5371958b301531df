import type { UsageMeasure } from '@/lib/domains/usage/usage-filter'
import type { UsageStep } from '@/lib/domains/usage/usage-window'
import type { ChartSeries } from './chart-series'
import { seriesColour } from './series-colour'
import { stepLabel } from './step-label'
import { figureText } from './usage-words'

type Props = {
  measure: UsageMeasure
  step: UsageStep
  series: readonly ChartSeries[]
  /** Given by the chart. */
  active?: boolean
  label?: string | number
  payload?: readonly { dataKey?: unknown; value?: unknown }[]
}

/** Lists the values of one step by part, in the order of the bar from the top. */
export function ChartTooltip({ measure, step, series, active, label, payload = [] }: Props) {
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

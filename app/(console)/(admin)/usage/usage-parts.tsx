import type { UsageFilter, UsageMeasure } from '@/lib/domains/usage/usage-filter'
import type { UsageWindow } from '@/lib/domains/usage/usage-window'
import type { Ctx } from '@/lib/kernel/context'
import type { ChartSeries } from './chart-series'
import { isoSteps, readParts, readTools } from './read-usage-page'
import { runsOfPart, runsOfTool } from './runs-behind'
import { ToolTable } from './tool-table'
import { UsageChart } from './usage-chart'
import {
  defaultPartSort,
  defaultToolSort,
  PartSort,
  sortTools,
  sortUsageParts,
  ToolSort,
} from './usage-sort'
import { UsageTable } from './usage-table'
import { measureWords, periodWords, splitWords } from './usage-words'

type Props = {
  ctx: Ctx
  filter: UsageFilter
  window: UsageWindow
  /** The order in the address. */
  sort: string | undefined
  page: number
  values: Record<string, string | undefined>
}

/** Shows the chart and the table below it, split by what the address asks for. */
export async function UsageParts(props: Props) {
  return props.filter.by === 'tool' ? (
    <Tools {...props} />
  ) : (
    <Parts {...props} by={props.filter.by} />
  )
}

async function Parts({
  ctx,
  filter,
  window,
  sort,
  page,
  values,
  by,
}: Props & { by: Exclude<UsageFilter['by'], 'tool'> }) {
  const { parts, series } = await readParts(ctx, by, window, filter)
  const order = PartSort.catch(by === 'day' ? '-name' : defaultPartSort).parse(
    sort ?? (by === 'day' ? '-name' : defaultPartSort),
  )
  const address = { path: '/usage', values: { ...values, by, measure: filter.measure }, page }
  return (
    <>
      <Chart filter={filter} window={window} measure={filter.measure} series={series} />
      <UsageTable
        by={by}
        step={window.step}
        parts={sortUsageParts(parts, order)}
        address={{
          ...address,
          sort: { by: order, default: by === 'day' ? '-name' : defaultPartSort },
        }}
        runsHref={(part) => runsOfPart(by, part, window, filter)}
      />
    </>
  )
}

async function Tools({ ctx, filter, window, sort, page, values }: Props) {
  const measure = toolMeasure(filter.measure)
  const { tools, series } = await readTools(ctx, measure, window, filter)
  const order = ToolSort.catch(defaultToolSort).parse(sort)
  const address = {
    path: '/usage',
    values: { ...values, by: 'tool', measure: filter.measure },
    page,
    sort: { by: order, default: defaultToolSort },
  }
  return (
    <>
      {measure !== filter.measure && (
        <p className="text-muted text-sm">
          A tool call has no {measureWords[filter.measure].toLowerCase()} of its own, so this chart
          shows calls.
        </p>
      )}
      <Chart filter={filter} window={window} measure={measure} series={series} />
      <ToolTable
        tools={sortTools(tools, order)}
        address={address}
        runsHref={({ name }) => runsOfTool(name, window, filter)}
      />
    </>
  )
}

function toolMeasure(measure: UsageMeasure): UsageMeasure {
  return measure === 'cost' || measure === 'tokens' ? 'calls' : measure
}

function Chart({
  filter,
  window,
  measure,
  series,
}: {
  filter: UsageFilter
  window: UsageWindow
  measure: UsageMeasure
  series: ChartSeries[]
}) {
  const split = measure === 'latency' ? 'in total' : `by ${splitWords[filter.by].toLowerCase()}`
  return (
    <UsageChart
      measure={measure}
      step={window.step}
      steps={isoSteps(window)}
      series={series}
      label={`${measureWords[measure]} ${split}, ${periodWords[filter.period].label.toLowerCase()}. The table below has the figures.`}
    />
  )
}

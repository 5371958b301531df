import type { UsageFilter, UsageMeasure } from '@toolgate/server/domains/usage/usage-filter'
import type { UsageWindow } from '@toolgate/server/domains/usage/usage-window'
import type { ChartSeries } from '@/components/chart/chart-series'
import { stepLabel } from '@/components/chart/chart-words'
import { UsageChart } from '@/components/chart/usage-chart'
import { PagedRows } from '@/components/list/list-frame'
import { isoSteps, type readSplit } from './read-usage-page'
import { runsOfPart, runsOfTool } from './runs-behind'
import { ToolTable } from './tool-table'
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

type Split = Awaited<ReturnType<typeof readSplit>>

type Props<Shown> = {
  split: Shown
  filter: UsageFilter
  window: UsageWindow
  /** The order in the address. */
  sort: string | undefined
  page: number
  values: Record<string, string | undefined>
}

/** Shows the chart and the table below it, split by what the address asks for. */
export function UsageParts({ split, ...props }: Props<Split>) {
  return split.by === 'tool' ? (
    <Tools {...props} split={split} />
  ) : (
    <Parts {...props} split={split} />
  )
}

function Parts({
  split: { by, measure, parts, series },
  filter,
  window,
  sort,
  page,
  values,
}: Props<Exclude<Split, { by: 'tool' }>>) {
  const usual = by === 'day' ? ('-name' as const) : defaultPartSort
  const order = PartSort.catch(usual).parse(sort ?? usual)
  const most = Math.max(1, ...parts.map(({ costMicroUsd }) => costMicroUsd))
  const address = {
    path: '/usage',
    values: { ...values, by, measure },
    page,
    sort: { by: order, default: usual },
  }
  return (
    <>
      <Chart filter={filter} window={window} measure={measure} series={series} />
      <PagedRows things="usage" rows={sortUsageParts(parts, order)} address={address}>
        {(shown) => {
          const rows = shown.map((part) => ({
            ...part,
            label: by === 'day' && !part.rest ? stepLabel(part.label, window.step) : part.label,
            runsHref: runsOfPart(by, part, window, filter),
          }))
          return <UsageTable by={by} rows={rows} most={most} address={address} />
        }}
      </PagedRows>
    </>
  )
}

function Tools({
  split: { measure, tools, series },
  filter,
  window,
  sort,
  page,
  values,
}: Props<Extract<Split, { by: 'tool' }>>) {
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
          Tool calls have no {measureWords[filter.measure].toLowerCase()}; the chart shows calls.
        </p>
      )}
      <Chart filter={filter} window={window} measure={measure} series={series} />
      <PagedRows things="tools" rows={sortTools(tools, order)} address={address}>
        {(shown) => {
          const rows = shown.map((tool) => {
            return { ...tool, runsHref: runsOfTool(tool.name, window, filter) }
          })
          return <ToolTable rows={rows} address={address} />
        }}
      </PagedRows>
    </>
  )
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
      label={`${measureWords[measure]} ${split}, ${periodWords[filter.period].toLowerCase()}.`}
    />
  )
}

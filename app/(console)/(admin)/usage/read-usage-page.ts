import {
  readLastCalls,
  readToolSeries,
  readToolUsage,
  readUsageParts,
  readUsageSeries,
  readUsageTotals,
} from '@/lib/domains/usage/reads'
import type { UsageFilter, UsageMeasure } from '@/lib/domains/usage/usage-filter'
import { stepsOf, type UsageWindow, windowBefore } from '@/lib/domains/usage/usage-window'
import type { Ctx } from '@/lib/kernel/context'
import { listTools } from '@/lib/toolset/tool-verbs'
import { chartSeries } from './chart-series'
import { toolHealth } from './tool-health'

/** Parts that get a colour of their own. */
const coloured = 6

/** Returns the sums of a time window and of the window before it. */
export async function readComparison(ctx: Ctx, window: UsageWindow, filter: UsageFilter) {
  const [now, before] = await Promise.all([
    readUsageTotals(ctx, window, filter),
    readUsageTotals(ctx, windowBefore(window), filter),
  ])
  return { now, before }
}

/** Returns what each part used, in total and per time step for the chart. */
export async function readParts(
  ctx: Ctx,
  by: Exclude<UsageFilter['by'], 'tool'>,
  window: UsageWindow,
  filter: UsageFilter,
) {
  const parts = await readUsageParts(ctx, by, window, filter)
  const named = filter.measure === 'latency' || by === 'day' ? [] : namedParts(parts)
  const keys = named.map(({ key }) => key)
  const points = await readUsageSeries(ctx, by, keys, window, filter, filter.measure)
  return { parts, series: chartSeries(filter.measure, isoSteps(window), named, points) }
}

/** Returns how often each tool was called, in total and per time step. Calls of tools have no cost of their own. */
export async function readTools(
  ctx: Ctx,
  measure: UsageMeasure,
  window: UsageWindow,
  filter: UsageFilter,
) {
  const [installed, used, lastCalls] = await Promise.all([
    listTools(ctx, {}),
    readToolUsage(ctx, window, filter),
    readLastCalls(ctx),
  ])
  const named =
    measure === 'latency'
      ? []
      : used.slice(0, coloured).map(({ toolName }) => ({ key: toolName, label: toolName }))
  const keys = named.map(({ key }) => key)
  const points = await readToolSeries(ctx, keys, window, filter, measure)
  return {
    tools: toolHealth(installed, used, lastCalls),
    series: chartSeries(measure, isoSteps(window), named, points),
  }
}

export function isoSteps(window: UsageWindow): string[] {
  return stepsOf(window).map((at) => at.toISOString())
}

function namedParts(
  parts: readonly { key: string | null; label: string; detail: string | null; rest: boolean }[],
) {
  const own = parts.filter(({ rest }) => !rest)
  return own.slice(0, coloured).map(({ key, label, detail }) => {
    const repeated = parts.filter((part) => part.label === label).length > 1
    return { key: key ?? label, label: repeated && detail ? `${label} (${detail})` : label }
  })
}

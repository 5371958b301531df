import {
  readLastCalls,
  readToolSeries,
  readToolUsage,
  readUsageParts,
  readUsageSeries,
  readUsageTotals,
} from '@toolgate/server/domains/usage/reads'
import type { UsageFilter, UsageMeasure } from '@toolgate/server/domains/usage/usage-filter'
import {
  stepsOf,
  type UsageWindow,
  windowBefore,
} from '@toolgate/server/domains/usage/usage-window'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import type { Ctx } from '@toolgate/server/kernel/context'
import { listTools } from '@toolgate/server/toolset/tools/tool-verbs'
import { chartSeries } from '@/components/chart/chart-series'
import { toolHealth } from './tool-health'

/** Parts that get a colour of their own. */
const coloured = 6

/** Returns the sums of a time window and of the window before it. */
export async function readComparison(ctx: Ctx, window: UsageWindow, filter: UsageFilter) {
  const [now, before] = await Promise.all([
    readUsageTotals(ctx, window, filter),
    readUsageTotals(ctx, windowBefore(filter.period, window), filter),
  ])
  return { now, before }
}

/** Returns what the chart and the table show, split by what the filter asks for. */
export async function readSplit(ctx: Ctx, window: UsageWindow, filter: UsageFilter) {
  const { by } = filter
  return by === 'tool' ? readTools(ctx, window, filter) : readParts(ctx, by, window, filter)
}

/** Returns what each part used, in total and per time step for the chart. */
async function readParts(
  ctx: Ctx,
  by: Exclude<UsageFilter['by'], 'tool'>,
  window: UsageWindow,
  filter: UsageFilter,
) {
  const { measure } = filter
  const reading = readNamedParts(ctx, by, window, filter)
  const named = measure === 'latency' || by === 'day' ? [] : namedParts(await reading)
  const keys = named.map(({ key }) => key)
  const [parts, points] = await Promise.all([
    reading,
    readUsageSeries(ctx, by, keys, window, filter, measure),
  ])
  const series = chartSeries(measure, isoSteps(window), named, points)
  return { by, measure, parts, series }
}

/** Returns what each part used. People have their names, also beside their keys. */
async function readNamedParts(...args: Parameters<typeof readUsageParts>) {
  const [, by] = args
  const parts = await readUsageParts(...args)
  if (by === 'user') return withPersonNames(parts, ['label'])
  return by === 'apiKey' ? withPersonNames(parts, ['detail']) : parts
}

/** Returns how often each tool was called, in total and per time step. Calls of tools have no cost of their own. */
async function readTools(ctx: Ctx, window: UsageWindow, filter: UsageFilter) {
  const measure = toolMeasure(filter.measure)
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
  const series = chartSeries(measure, isoSteps(window), named, points)
  return { by: 'tool' as const, measure, tools: toolHealth(installed, used, lastCalls), series }
}

function toolMeasure(measure: UsageMeasure): UsageMeasure {
  return measure === 'cost' || measure === 'tokens' ? 'calls' : measure
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

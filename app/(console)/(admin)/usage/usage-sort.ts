import type { UsagePart } from '@toolgate/server/domains/usage/reads'
import { sortOrder } from '@/lib/shape/resource'
import { type SortOrder, sortParts } from '@/lib/shape/sort-order'
import type { ToolHealth } from './tool-health'

const partKeys = [
  'name',
  'cost',
  'input',
  'output',
  'calls',
  'runs',
  'p50',
  'p95',
  'errors',
  'rescues',
] as const
export type PartSortKey = (typeof partKeys)[number]
export const defaultPartSort: SortOrder<PartSortKey> = '-cost'
export const PartSort = sortOrder(partKeys, defaultPartSort)

const toolKeys = ['tool', 'calls', 'runs', 'failed', 'denied', 'p50', 'p95', 'last'] as const
export type ToolSortKey = (typeof toolKeys)[number]
export const defaultToolSort: SortOrder<ToolSortKey> = '-calls'
export const ToolSort = sortOrder(toolKeys, defaultToolSort)

const partFigures: Record<PartSortKey, (part: UsagePart) => number | string | null> = {
  name: ({ label }) => label,
  cost: ({ costMicroUsd }) => costMicroUsd,
  input: ({ inputTokens }) => inputTokens,
  output: ({ outputTokens }) => outputTokens,
  calls: ({ calls }) => calls,
  runs: ({ runs }) => runs,
  p50: ({ p50Ms }) => p50Ms,
  p95: ({ p95Ms }) => p95Ms,
  errors: ({ errors }) => errors,
  rescues: ({ rescues }) => rescues,
}

const toolFigures: Record<ToolSortKey, (tool: ToolHealth) => number | string | null> = {
  tool: ({ name }) => name,
  calls: ({ calls }) => calls,
  runs: ({ runs }) => runs,
  failed: ({ failed }) => failed,
  denied: ({ denied }) => denied,
  p50: ({ p50Ms }) => p50Ms,
  p95: ({ p95Ms }) => p95Ms,
  last: ({ lastAt }) => lastAt,
}

/** Sorts the parts in memory, because all of them are loaded. The part for the remaining ones stays last. */
export function sortUsageParts(
  parts: readonly UsagePart[],
  order: SortOrder<PartSortKey>,
): UsagePart[] {
  const named = parts.filter(({ rest }) => !rest)
  const sorted = inOrder(named, partFigures[sortParts(order).key], order)
  return [...sorted, ...parts.filter(({ rest }) => rest)]
}

export function sortTools(
  tools: readonly ToolHealth[],
  order: SortOrder<ToolSortKey>,
): ToolHealth[] {
  return inOrder(tools, toolFigures[sortParts(order).key], order)
}

/** Returns the parts in order. Parts without a value are last in both directions. */
function inOrder<Row>(
  rows: readonly Row[],
  figureOf: (row: Row) => number | string | null,
  order: SortOrder,
): Row[] {
  const sign = sortParts(order).direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [figureOf(a), figureOf(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'string') return sign * left.localeCompare(String(right), 'en')
    return sign * (left - Number(right))
  })
}

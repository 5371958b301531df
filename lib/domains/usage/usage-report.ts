import type { Ctx } from '../../kernel/context'
import { readToolUsage, type ToolUsage } from './read-tool-usage'
import { readUsageParts, readUsageTotals, type UsagePart } from './read-usage'
import type { UsageFigures } from './usage-figures'
import type { UsageFilter } from './usage-filter'
import { usageWindow, windowBefore } from './usage-window'

/**
 * Usage as programs read it: sums of a period and of the one before, split as asked. Times are ISO text in UTC, costs
 * micro-USD. `tools` is there instead of `parts` when the split is by tool.
 */
export type UsageReport = {
  from: string
  to: string
  totals: UsageFigures
  before: UsageFigures
} & ({ parts: UsagePart[] } | { tools: ToolUsage[] })

/** Admins only. */
export async function usageReport(
  ctx: Ctx,
  filter: Omit<UsageFilter, 'measure'>,
): Promise<UsageReport> {
  const { period, by, ...scope } = filter
  const window = usageWindow(period, new Date())
  const [totals, before, split] = await Promise.all([
    readUsageTotals(ctx, window, scope),
    readUsageTotals(ctx, windowBefore(window), scope),
    by === 'tool'
      ? readToolUsage(ctx, window, scope).then((tools) => ({ tools }))
      : readUsageParts(ctx, by, window, scope).then((parts) => ({ parts })),
  ])
  return { from: window.from.toISOString(), to: window.to.toISOString(), totals, before, ...split }
}

import { formatCount, formatTokens } from '@/lib/protocol/format'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { contextTax } from './tool-filter'

export function GroupSummary({ group, tools }: { group: string; tools: ToolListing[] }) {
  const tax = contextTax(tools)
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <h2 className="text-base">{group}</h2>
      <span className="numeric text-muted text-sm">
        {formatCount(tax.on)} of {formatCount(tax.tools)} on · ≈ {formatTokens(tax.tokens)}
      </span>
    </div>
  )
}

import { CircleSlash, ShieldCheck, TriangleAlert } from 'lucide-react'
import { Badge } from '@/components/ui/badge'
import type { ToolListing } from '@/lib/toolset/tool-listing'

export function ToolBadges({ tool }: { tool: ToolListing }) {
  return (
    <>
      {tool.unavailable !== null && (
        <Badge>
          <CircleSlash aria-hidden />
          Not available
        </Badge>
      )}
      {tool.requiresAdmin && (
        <Badge>
          <ShieldCheck aria-hidden />
          Admins only
        </Badge>
      )}
      {tool.raw && (
        <Badge tone="warning">
          <TriangleAlert aria-hidden />
          Raw data
        </Badge>
      )}
    </>
  )
}

import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { Server } from '@/lib/domains/servers/shape'
import { countOf } from '@/lib/words/format'

/** Shows whether a server could be reached the last time, and since when not. */
export function ReachedState({ server }: { server: Server }) {
  const { checkedAt, downSince } = server
  if (checkedAt === null) return <span className="text-muted">not checked yet</span>
  if (downSince === null) {
    return (
      <span className="flex flex-wrap items-center gap-x-2">
        <StatePill state="ok">reached</StatePill>
        <RelativeTime at={checkedAt} className="text-muted" />
      </span>
    )
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <StatePill state="error">not reached</StatePill>
      <span className="text-muted">
        since <RelativeTime at={downSince} />
      </span>
    </span>
  )
}

/** Shows the same with the reason why it could not be reached. */
export function Reached({ server }: { server: Server }) {
  return (
    <span className="flex flex-col text-sm">
      <ReachedState server={server} />
      {server.downSince !== null && (
        <span className="[overflow-wrap:anywhere]">
          <VisibleText text={server.trouble} />
        </span>
      )}
    </span>
  )
}

/** Shows how many tools a server has, and how many wait for a person. */
export function ToolCounts({ server: { toolCount, toReview } }: { server: Server }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span>{countOf(toolCount, 'tool')}</span>
      {toReview > 0 && <StatePill state="waiting">{toReview} to review</StatePill>}
    </span>
  )
}

import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { MessageOutcome as Outcome } from '@/lib/domains/channels/shape'

type Props = { outcome: Outcome & { isUncertain?: boolean } }

/** Shows what came of a message at a channel: when it arrived, or when it was tried last and why it did not arrive. */
export function MessageOutcome({ outcome }: Props) {
  const { attempts, attemptedAt, deliveredAt, trouble, isUncertain = false } = outcome
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-sm">
      {deliveredAt !== null && <StatePill state="ok">arrived</StatePill>}
      {deliveredAt === null && isUncertain && (
        <StatePill state="warning">not known whether it arrived</StatePill>
      )}
      {deliveredAt === null && !isUncertain && (
        <StatePill state="error">
          not arrived, tried {attempts === 1 ? 'once' : `${attempts} times`}
        </StatePill>
      )}
      <RelativeTime at={deliveredAt ?? attemptedAt} className="text-muted" />
      <span className="[overflow-wrap:anywhere]">
        <VisibleText text={trouble} />
      </span>
    </span>
  )
}

import type { ReactNode } from 'react'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ApprovalView } from '@/lib/protocol/round-view'
import { decisionRemark } from './approval-words'
import { TimeLeft } from './time-left'
import { VisibleText } from './visible-text'

/** Says why a call needed an approval, and what was decided. */
export function ApprovalFacts({ approval, ended }: { approval: ApprovalView; ended: boolean }) {
  const { decision } = approval
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
      <Fact label="Rule">
        <VisibleText text={approval.ruleName} />
      </Fact>
      <Fact label="Requested">
        <RelativeTime at={approval.requestedAt} />
      </Fact>
      {!decision && !ended && (
        <Fact label="Expires">
          <TimeLeft until={approval.expiresAt} />
        </Fact>
      )}
      {decision && (
        <Fact label="Decided">
          <RelativeTime at={decision.at} />
        </Fact>
      )}
      {decision && (
        <Fact label="Decision">
          <VisibleText text={decisionRemark(decision)} />
          {decision.type !== 'expired' && decision.type !== 'denied' && decision.message && (
            <VisibleText text={`: ${decision.message}`} />
          )}
        </Fact>
      )}
      {!decision && ended && (
        <Fact label="Decision">The run ended before anybody decided. The call did not run.</Fact>
      )}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{label}</dt>
      <dd className="text-strong [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

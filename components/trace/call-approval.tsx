'use client'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '@/components/ui/relative-time'
import { isUndecided } from '@/lib/protocol/fold-run'
import type { ApprovalView, CallView } from '@/lib/protocol/round-view'
import { Fact } from '../ui/fact'
import { type ApprovalActions, useApprovalActions } from './approval-actions'
import { ApprovalForm } from './approval-form'
import { coversWords, decisionRemark } from './approval-words'
import { Part } from './part'
import { TimeLeft } from './time-left'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

type Props = { call: CallView; approval: ApprovalView; onDecided: () => void }

/** Shows who decided about this call and how; while it waits, the form for whoever may decide. */
export function CallApproval({ call, approval, onDecided }: Props) {
  const { ended } = useTraceFacts()
  const actions = useApprovalActions()
  return (
    <Part title="Approval">
      <div className="flex flex-col gap-3">
        <ApprovalFacts approval={approval} ended={ended} />
        {actions && !ended && isUndecided(call) && (
          <Question actions={actions} call={call} approval={approval} onDecided={onDecided} />
        )}
      </div>
    </Part>
  )
}

const askAgainMs = 2_000

function Question({ actions, call, approval, onDecided }: Props & { actions: ApprovalActions }) {
  const { approvalId, argumentsHash } = approval
  const { data: right, failureCount } = useQuery({
    queryKey: ['decision right', approvalId],
    queryFn: () => actions.readRight(approvalId),
    retry: true,
    retryDelay: askAgainMs,
  })
  if (right === undefined) {
    return (
      <p className="flex min-h-8 items-center text-muted text-sm">
        {failureCount === 0
          ? 'Checking whether you may decide…'
          : 'The server does not answer. Retrying…'}
      </p>
    )
  }
  return (
    <ApprovalForm
      toolName={call.name}
      argumentsText={call.argumentsText}
      right={right}
      decide={(answer) => actions.decide({ approvalId, argumentsHash }, answer)}
      onGone={onDecided}
    />
  )
}

/** Says why a call needed an approval, and what was decided. */
function ApprovalFacts({ approval, ended }: { approval: ApprovalView; ended: boolean }) {
  const { decision } = approval
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
      <Fact label="Rule">
        <VisibleText text={approval.ruleName} />
      </Fact>
      {approval.once && <Fact label="Covers">{coversWords}</Fact>}
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

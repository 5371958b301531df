'use client'

import { useQuery } from '@tanstack/react-query'
import { isUndecided } from '@/lib/protocol/fold-run'
import type { ApprovalView, CallView } from '@/lib/protocol/round-view'
import { type ApprovalActions, useApprovalActions } from './approval-actions'
import { ApprovalFacts } from './approval-facts'
import { ApprovalForm } from './approval-form'
import { Part } from './part'
import { useTraceFacts } from './trace-context'

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

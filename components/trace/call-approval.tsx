'use client'

import { useEffect, useState } from 'react'
import { isUndecided } from '@/lib/protocol/fold-run'
import type { ApprovalView, CallView } from '@/lib/protocol/round-view'
import { type ApprovalActions, type DecisionRight, useApprovalActions } from './approval-actions'
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

/** What the server says of this reader; null = it was not asked yet or has not answered. */
type KnownRight = DecisionRight | 'no-answer' | null

const askAgainMs = 2_000

function Question({ actions, call, approval, onDecided }: Props & { actions: ApprovalActions }) {
  const { approvalId, argumentsHash } = approval
  const right = useRight(actions, approvalId)
  if (right === null || right === 'no-answer') {
    return (
      <p className="flex min-h-8 items-center text-muted text-sm">
        {right === null
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

/** Asks whether this reader may decide. Asks again every two seconds while the server does not answer. */
function useRight(actions: ApprovalActions, approvalId: string): KnownRight {
  const [right, setRight] = useState<KnownRight>(null)
  // Outside system: the server, which knows what this reader may do.
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const take = (found: DecisionRight | 'no-answer') => {
      if (gone) return
      setRight(found)
      if (found === 'no-answer') timer = setTimeout(ask, askAgainMs)
    }
    const ask = () => actions.readRight(approvalId).then(take, () => take('no-answer'))
    void ask()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [actions, approvalId])
  return right
}

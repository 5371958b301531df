'use client'

import { useEffect, useState } from 'react'
import { isUndecided } from '@/lib/protocol/fold-run'
import type { ApprovalView, CallView } from '@/lib/protocol/round-view'
import { type ApprovalDesk, type DecisionRight, useApprovalDesk } from './approval-desk'
import { ApprovalFacts } from './approval-facts'
import { ApprovalForm } from './approval-form'
import { Part } from './part'
import { useTraceFacts } from './trace-context'

type Props = { call: CallView; approval: ApprovalView; onDecided: () => void }

/** Who had to be asked about this call and what they said; the question itself for whoever may answer it. */
export function CallApproval({ call, approval, onDecided }: Props) {
  const { ended } = useTraceFacts()
  const desk = useApprovalDesk()
  return (
    <Part title="Approval">
      <div className="flex flex-col gap-3">
        <ApprovalFacts approval={approval} ended={ended} />
        {desk && !ended && isUndecided(call) && (
          <Question desk={desk} call={call} approval={approval} onDecided={onDecided} />
        )}
      </div>
    </Part>
  )
}

const askAgainMs = 2_000

function Question({ desk, call, approval, onDecided }: Props & { desk: ApprovalDesk }) {
  const { approvalId, argumentsHash } = approval
  const right = useRight(desk, approvalId)
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
      decide={(answer) => desk.decide({ approvalId, argumentsHash }, answer)}
      onGone={onDecided}
    />
  )
}

/** Null = not known yet; asked again and again while the server does not answer, as when it is restarted. */
function useRight(desk: ApprovalDesk, approvalId: string): DecisionRight | 'no-answer' | null {
  const [right, setRight] = useState<DecisionRight | 'no-answer' | null>(null)
  // Outside system: the server, which knows what this reader may do.
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const take = (found: DecisionRight | 'no-answer') => {
      if (gone) return
      setRight(found)
      if (found === 'no-answer') timer = setTimeout(ask, askAgainMs)
    }
    const ask = () => desk.readRight(approvalId).then(take, () => take('no-answer'))
    void ask()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [desk, approvalId])
  return right
}

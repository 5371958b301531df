'use client'
import { useQuery } from '@tanstack/react-query'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ApprovalView, CallView } from '@/lib/protocol/run/round-view'
import { isUndecided } from '@/lib/protocol/run/round-view'
import { formatDuration } from '@/lib/words/format'
import { type ApprovalActions, useApprovalActions } from './approval-actions'
import { ApprovalForm } from './approval-form'
import { coversWords, decisionRemark, fourEyesWords } from './approval-words'
import { CallArguments } from './call-arguments'
import { NobodyNotified } from './nobody-notified'
import { Part } from './part'
import { RunBefore } from './run-before'
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
/** Rights change, and messages about the call may fail after it was first shown. */
const readAgainMs = 15_000

/** Reads what the form for a waiting call needs, now and then; all parts of its card share the answer. */
function useQuestion(actions: ApprovalActions, { approvalId }: ApprovalView) {
  return useQuery({
    queryKey: ['approval question', approvalId],
    queryFn: () => actions.readQuestion(approvalId),
    retry: true,
    retryDelay: askAgainMs,
    refetchInterval: readAgainMs,
  })
}

type Waiting = { actions: ApprovalActions; call: CallView; approval: ApprovalView }

/** Shows the arguments of a call; while it waits, with what its tool says of each. */
export function AskedArguments({ call, argumentsText }: { call: CallView; argumentsText: string }) {
  const { ended } = useTraceFacts()
  const actions = useApprovalActions()
  if (!call.approval || !actions || ended || !isUndecided(call)) {
    return <CallArguments argumentsText={argumentsText} />
  }
  return <WaitingArguments actions={actions} call={call} approval={call.approval} />
}

function WaitingArguments({ actions, call, approval }: Waiting) {
  const { data: question } = useQuestion(actions, approval)
  const parameters = question?.context?.parameters ?? null
  return <CallArguments argumentsText={call.argumentsText} parameters={parameters} />
}

function Question({ actions, call, approval, onDecided }: Waiting & Pick<Props, 'onDecided'>) {
  const { approvalId, argumentsHash } = approval
  const { runId } = useTraceFacts()
  const { data: question, failureCount } = useQuestion(actions, approval)
  if (question === undefined) {
    return (
      <p className="flex min-h-8 items-center text-muted text-sm">
        {failureCount === 0 ? 'Checking…' : 'No answer. Retrying…'}
      </p>
    )
  }
  const { right, context, nobodyTold } = question
  return (
    <>
      {nobodyTold && <NobodyNotified />}
      {context && <RunBefore runId={runId} context={context} />}
      <ApprovalForm
        toolName={call.name}
        argumentsText={call.argumentsText}
        parameters={context?.parameters ?? null}
        right={right}
        decide={(answer) => actions.decide({ approvalId, argumentsHash }, answer)}
        onGone={onDecided}
      />
    </>
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
      {approval.fourEyesRule !== null && (
        <Fact label="Four eyes">
          <VisibleText text={fourEyesWords(approval.fourEyesRule)} />
        </Fact>
      )}
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
          <RelativeTime at={decision.at} /> (after{' '}
          {formatDuration(Math.max(0, decision.at - approval.requestedAt))})
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
        <Fact label="Decision">The run ended undecided. The call did not run.</Fact>
      )}
    </dl>
  )
}

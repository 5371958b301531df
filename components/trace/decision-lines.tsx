import { Check, CircleMinus, ShieldX } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerWords, gateAnswers, gateTitle } from '@/lib/protocol/gate-answers'
import type { Verdict } from '@/lib/protocol/tool'
import { VisibleText } from './visible-text'

type Props = {
  verdict: Verdict
  withConfiguration: boolean
  /** Shown after the decision: a link to change it, or what happened to the call. */
  after?: ReactNode
}

/** Shows a decision in sentences: the gates that allowed, the first that denied, and those that were not asked. */
export function DecisionLines({ verdict, withConfiguration, after }: Props) {
  const answers = gateAnswers(verdict, { withConfiguration })
  const [yes, unasked] = [answerWords(answers, 'yes'), answerWords(answers, 'not-asked')]
  return (
    <div className="flex flex-col gap-1 text-sm [overflow-wrap:anywhere]">
      {verdict.allowed ? (
        <Line look={lookYes}>
          Allowed: {yes}. {after}
        </Line>
      ) : (
        <>
          {yes && <Line look={lookYes}>Passed: {yes}.</Line>}
          <Line look={lookNo}>
            Denied (<span className="font-medium text-strong">{gateTitle(verdict)}</span>):{' '}
            <VisibleText text={verdict.reason} /> {after}
          </Line>
        </>
      )}
      {unasked && (
        <Line look={lookUnasked}>
          Gates not asked{verdict.allowed && ', no configuration picked'}: {unasked}.
        </Line>
      )}
    </div>
  )
}

const lookYes = { icon: Check, colour: 'text-ok' }
const lookNo = { icon: ShieldX, colour: 'text-error' }
const lookUnasked = { icon: CircleMinus, colour: 'text-muted' }

function Line({
  look: { icon: Icon, colour },
  children,
}: {
  look: typeof lookYes
  children: ReactNode
}) {
  return (
    <p className="flex items-start gap-1.5">
      <Icon className={`mt-px size-4 shrink-0 ${colour}`} aria-hidden />
      <span>{children}</span>
    </p>
  )
}

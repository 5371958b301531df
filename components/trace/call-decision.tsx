import Link from 'next/link'
import type { Outcome, Verdict } from '@/lib/protocol/tool'
import { DecisionLines } from './decision-lines'
import { gateWords } from './gate-words'
import { useReaderRole } from './reader-role'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

/** Shows the gates' decision at the time of the call. They are asked in order, up to the first refusal. */
export function CallDecision({
  verdict,
  outcome,
  toolName,
}: {
  verdict: Verdict
  outcome: Outcome
  toolName: string
}) {
  const { configurationId, taskId, userId } = useTraceFacts()
  const isAdmin = useReaderRole() === 'admin'
  const about = { toolName, configurationId, taskId, userId }
  const where = verdict.allowed
    ? null
    : gateWords(verdict.gate, { ...about, part: verdict.part }).where
  const stopped = verdict.allowed && outcome.type === 'denied' ? outcome.reason : null
  return (
    <DecisionLines
      verdict={verdict}
      withConfiguration={configurationId !== null}
      after={
        <>
          {stopped && <VisibleText text={`Not run: ${stopped}`} />}
          {where && isAdmin && (
            <Link href={where.href} className="text-link underline underline-offset-2">
              {where.after}
            </Link>
          )}
        </>
      }
    />
  )
}

import { Check, ShieldX } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import {
  type Denial,
  GateName,
  gateNames,
  type Outcome,
  type Verdict,
} from '@/lib/protocol/outcome'
import { gateWords } from './gate-words'
import { useReaderRole } from './reader-role'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

/** What the gates said at the moment of the call. They are asked in order; the first no ends the question. */
export function CallDecision({
  verdict,
  outcome,
  toolName,
}: {
  verdict: Verdict
  outcome: Outcome
  toolName: string
}) {
  if (!verdict.allowed) return <Refused denial={verdict} toolName={toolName} />
  const stopped = outcome.type === 'denied' ? outcome.reason : null
  return (
    <div className="flex flex-col gap-1 text-sm">
      <Line yes>
        Allowed: every gate said yes right before the call.{' '}
        {stopped && <VisibleText text={`It was not run: ${stopped}`} />}
      </Line>
      <SaidYes gates={gateNames} />
    </div>
  )
}

function Refused({ denial, toolName }: { denial: Denial; toolName: string }) {
  const { gate, reason, part } = denial
  const { configurationId, taskId, userId } = useTraceFacts()
  const isAdmin = useReaderRole() === 'admin'
  const { short, where } = gateWords(gate, { toolName, configurationId, taskId, userId, part })
  const position = GateName.options.indexOf(gate)
  return (
    <div className="flex flex-col gap-1 text-sm">
      {position < gateNames.length && <SaidYes gates={gateNames.slice(0, position)} />}
      <Line yes={false}>
        No: <span className="font-medium text-strong">{gate}</span>, {short}.{' '}
        <VisibleText text={reason} />{' '}
        {where && isAdmin && (
          <Link href={where.href} className="text-link underline underline-offset-2">
            {where.after}
          </Link>
        )}
      </Line>
    </div>
  )
}

function SaidYes({ gates }: { gates: readonly string[] }) {
  if (gates.length === 0) return null
  return (
    <Line yes>
      Yes: <span className="text-muted">{gates.join(', ')}</span>
    </Line>
  )
}

function Line({ yes, children }: { yes: boolean; children: ReactNode }) {
  const Icon = yes ? Check : ShieldX
  return (
    <p className="flex items-start gap-1.5">
      <Icon className={`mt-px size-4 shrink-0 ${yes ? 'text-ok' : 'text-error'}`} aria-hidden />
      <span>{children}</span>
    </p>
  )
}

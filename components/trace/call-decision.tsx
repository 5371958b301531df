import { Check, ShieldX } from 'lucide-react'
import Link from 'next/link'
import { GateName, gateNames, type Outcome, type Verdict } from '@/lib/protocol/outcome'
import { gateWords } from './gate-words'
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
  if (verdict.allowed) {
    const stopped = outcome.type === 'denied' ? outcome.reason : null
    return (
      <p className="flex items-start gap-1.5 text-sm">
        <Check className="mt-px size-4 shrink-0 text-ok" aria-hidden />
        <span>
          Allowed: every gate said yes right before the call.{' '}
          {stopped && <VisibleText text={`It was not run: ${stopped}`} />}
        </span>
      </p>
    )
  }
  const { short, where } = gateWords(verdict.gate, toolName)
  const position = GateName.options.indexOf(verdict.gate)
  const asked = position < gateNames.length ? gateNames.slice(0, position) : []
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {asked.length > 0 && (
        <li className="flex items-start gap-1.5">
          <Check className="mt-px size-4 shrink-0 text-ok" aria-hidden />
          <span>
            Yes: <span className="text-muted">{asked.join(', ')}</span>
          </span>
        </li>
      )}
      <li className="flex items-start gap-1.5">
        <ShieldX className="mt-px size-4 shrink-0 text-error" aria-hidden />
        <span>
          No: <span className="font-medium text-strong">{verdict.gate}</span>, {short}.{' '}
          <VisibleText text={verdict.reason} />{' '}
          {where && (
            <Link href={where.href} className="text-link underline underline-offset-2">
              See it under {where.label}
            </Link>
          )}
        </span>
      </li>
    </ul>
  )
}

'use client'
import { X } from 'lucide-react'
import Link from 'next/link'
import { ActButton } from '@/components/forms/act-button'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import { type Blocked, blockedWords } from '@/lib/domains/schedules/shape'
import { visibleText } from '@/lib/words/clean-text'
import { withdrawConsent } from './actions'

/** Says why a schedule starts nothing; `isAsked`: the reader is the one who has to agree. */
export function BlockedReason({
  blocked: { why, reason },
  isAsked = false,
}: {
  blocked: Blocked
  isAsked?: boolean
}) {
  return (
    <span className="flex max-w-[72ch] flex-col items-start gap-1 whitespace-normal [overflow-wrap:anywhere]">
      <StatePill state={why === 'author' ? 'error' : 'waiting'}>{blockedWords[why]}</StatePill>
      <VisibleText text={reason} />
      {isAsked && why === 'consent' && (
        <Link href="/approvals#schedules" className="text-link hover:underline">
          See Approvals
        </Link>
      )}
    </span>
  )
}

/** Shows that the signed-in person lets a schedule run as them, with a button that withdraws the consent. */
export function WithdrawConsent({ schedule }: { schedule: { id: string; name: string } }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      Approved by you
      <ActButton
        size="sm"
        icon={<X className="size-4" aria-hidden />}
        failed="Nothing was withdrawn"
        done={`Withdrew consent for ${visibleText(schedule.name)}`}
        send={() => withdrawConsent({ scheduleId: schedule.id })}
      >
        Withdraw
      </ActButton>
    </span>
  )
}

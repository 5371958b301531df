'use client'
import { X } from 'lucide-react'
import Link from 'next/link'
import { ActButton } from '@/components/forms/act-button'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import { type Blocked, blockedWords } from '@/lib/domains/schedules/shape'
import { visibleText } from '@/lib/protocol/clean-text'
import { withdrawConsent } from './actions'

/** Says in two words why a schedule that is on starts nothing. */
export function BlockedPill({ blocked: { why } }: { blocked: Blocked }) {
  return <StatePill state={why === 'author' ? 'error' : 'waiting'}>{blockedWords[why]}</StatePill>
}

/** Says why a schedule starts nothing; `isAsked`: the reader is the one who has to agree. */
export function BlockedFact({ blocked, isAsked }: { blocked: Blocked; isAsked: boolean }) {
  return (
    <span className="flex flex-col items-start gap-1">
      <BlockedPill blocked={blocked} />
      <VisibleText text={blocked.reason} />
      {isAsked && blocked.why === 'consent' && (
        <Link href="/approvals#schedules" className="text-link hover:underline">
          Answer it under Approvals
        </Link>
      )}
    </span>
  )
}

/** Takes back the consent of the reader that a schedule runs as them. */
export function WithdrawConsent({ schedule }: { schedule: { id: string; name: string } }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      Approved by you
      <ActButton
        size="sm"
        icon={<X className="size-4" aria-hidden />}
        failed="Nothing was withdrawn"
        done={`${visibleText(schedule.name)} starts nothing more as you`}
        send={() => withdrawConsent({ scheduleId: schedule.id })}
      >
        Withdraw
      </ActButton>
    </span>
  )
}

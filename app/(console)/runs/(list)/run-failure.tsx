'use client'
import type { RunRow } from '@toolgate/server/runs/schemas'
import Link from 'next/link'
import { useReaderRole } from '@/components/trace/reader-role'
import { type FixPlace, failureName, fixOfEnd } from '@/lib/protocol/model/failure-words'

type Row = Pick<RunRow, 'endReason' | 'notStarted' | 'failure' | 'configurationId'>

/** Shows the failure of a run's provider, such as "Wrong key", and for admins links to the page where it is fixed. */
export function RunFailure({ row }: { row: Row }) {
  const admin = useReaderRole() === 'admin'
  const { endReason, notStarted, failure } = row
  const place = endReason && fixOfEnd({ reason: endReason, failure, notStarted })
  const href = admin && place ? hrefOf(place, row) : null
  // Runs without a provider failure show how they ended in their state.
  const words = failure ? failureName(failure.category) : href && place && acts[place]
  if (!words) return null
  if (!href) return <span className="text-muted text-sm">{words}</span>
  return (
    <Link href={href} className="relative z-10 text-link text-sm hover:underline">
      {words}
    </Link>
  )
}

const acts: Partial<Record<FixPlace, string>> = { budgets: 'Budgets', price: 'Add price' }

function hrefOf(place: FixPlace, { failure, configurationId }: Row): string | null {
  switch (place) {
    case 'key':
      return failure && `/connections/${failure.connectionId}#key`
    case 'connection':
      return failure && `/connections/${failure.connectionId}`
    case 'model':
      return failure && `/models/${failure.modelRecordId}`
    case 'configuration':
      return configurationId && `/configurations/${configurationId}`
    case 'budgets':
      return '/budgets'
    case 'price':
      return '/models?price=missing'
    default:
      return place satisfies never
  }
}

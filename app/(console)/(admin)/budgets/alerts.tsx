'use client'
import type { AlertListing } from '@toolgate/server/domains/budgets/list-alerts'
import { BellRing, Check } from 'lucide-react'
import { ActButton } from '@/components/forms/act-button'
import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import { RelativeTime } from '@/components/ui/relative-time'
import { amountWords } from '@/lib/words/format'
import { markAlertsSeen } from './actions'

const shownSeen = 3

/**
 * Shows budgets that passed 80 or 100 percent: alerts that nobody has seen, then the newest seen ones with who saw
 * them.
 */
export function Alerts({ alerts }: { alerts: AlertListing[] }) {
  const unseen = alerts.filter(({ seenAt }) => seenAt === null)
  const seen = alerts.filter(({ seenAt }) => seenAt !== null).slice(0, shownSeen)
  if (alerts.length === 0) return null
  return (
    <section aria-label="Alerts" className="rounded-md border bg-surface-1">
      <ul className="divide-y">
        {[...unseen, ...seen].map((alert) => (
          <Alert key={alert.id} alert={alert} />
        ))}
      </ul>
      {unseen.length > 0 && (
        <div className="border-t p-2">
          <ActButton
            size="sm"
            icon={<Check className="size-4" aria-hidden />}
            failed="Not marked as seen"
            done="Marked as seen"
            send={() => markAlertsSeen({ ids: unseen.map(({ id }) => id) })}
          >
            Mark as seen
          </ActButton>
        </div>
      )}
    </section>
  )
}

function Alert({ alert }: { alert: AlertListing }) {
  const { title, percent, unit, amount, spent, at, seenBy, seenAt } = alert
  const tone = percent >= 100 ? 'text-error' : 'text-warning'
  return (
    <li className="flex gap-x-3 px-3 py-2">
      <BellRing
        className={cn('mt-0.5 size-4 shrink-0', seenAt === null ? tone : 'text-muted')}
        aria-hidden
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
        <span className={cn('grow basis-72', seenAt === null && 'text-strong')}>
          <VisibleText text={title} /> passed {percent} %: {amountWords(spent, unit)} of{' '}
          {amountWords(amount, unit)} spent
        </span>
        <span className="text-muted text-sm">
          <RelativeTime at={at} />
          {seenBy !== null && (
            <>
              , seen by <VisibleText text={seenBy} />
            </>
          )}
          {seenAt !== null && seenBy === null && ', closed when it reached 100 %'}
        </span>
      </div>
    </li>
  )
}

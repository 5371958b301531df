'use client'
import type { RemainingBudget } from '@toolgate/server/domains/budgets/remaining-budgets'
import { Gauge } from 'lucide-react'
import { useEffect, useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import { RelativeTime } from '@/components/ui/relative-time'
import { amountWords } from '@/lib/words/format'
import { readBudgetsLeft } from './actions'

const most = 3

/** Shows what is left of the budgets that count this person's runs with this configuration, the tightest first. */
export function BudgetsLeft({
  initial,
  configurationId,
  running,
}: {
  initial: RemainingBudget[]
  configurationId: string | null
  running: boolean
}) {
  const budgets = useFreshBudgets(initial, running).filter(
    (each) => each.configurationId === null || each.configurationId === configurationId,
  )
  if (budgets.length === 0) return null
  const tightest = budgets.sort((a, b) => a.left / a.amount - b.left / b.amount).slice(0, most)
  return (
    <ul aria-label="Budgets" className="numeric flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {tightest.map(({ id, title, unit, amount, left, isUsedUp, resetsAt }) => (
        <li key={id} className={cn('flex items-center gap-1.5', tone(left / amount))}>
          <Gauge className="size-4 shrink-0" aria-hidden />
          <span>
            {isUsedUp
              ? 'Used up'
              : `${amountWords(left, unit)} of ${amountWords(amount, unit)} left`}{' '}
            (<VisibleText text={title} />, resets <RelativeTime at={resetsAt} />)
          </span>
        </li>
      ))}
    </ul>
  )
}

function tone(share: number): string {
  if (share <= 0) return 'text-error'
  return share <= 0.2 ? 'text-warning' : 'text-muted'
}

/** Reads the budgets again after a run, and keeps the old values when that fails. External system: the server. */
function useFreshBudgets(initial: RemainingBudget[], running: boolean): RemainingBudget[] {
  const [budgets, setBudgets] = useState(initial)
  const [ran, setRan] = useState(false)
  if (running && !ran) setRan(true)
  useEffect(() => {
    if (running || !ran) return
    let wanted = true
    readBudgetsLeft({})
      .then((result) => {
        if (wanted && result.ok) setBudgets(result.value)
      })
      .catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [running, ran])
  return budgets
}

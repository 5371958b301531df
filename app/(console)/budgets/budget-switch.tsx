'use client'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/act-with-reason'
import { useAct } from '@/components/forms/use-act'
import { Switch } from '@/components/ui/switch'
import type { BudgetListing } from '@/lib/budgets/schemas'
import { visibleText } from '@/lib/protocol/visible-text'
import { switchBudget } from './actions'

/** Whether a budget counts. On may refuse others' requests, off lets them pass: off asks why. */
export function BudgetSwitch({ budget }: { budget: BudgetListing }) {
  const { busy, act } = useAct()
  const [asking, setAsking] = useState(false)
  const { id, enabled } = budget
  const name = visibleText(budget.title)
  const set = (on: boolean, reason = '') => switchBudget({ id, enabled: on, reason })
  const failed = `${name} was not changed`
  const switchOn = () =>
    act(() => set(true), {
      failed,
      done: `Switched on ${name}`,
      undo: () => set(false),
      about: id,
    })
  return (
    <span className="inline-flex items-center gap-2">
      <Switch
        aria-label={name}
        checked={enabled}
        disabled={busy}
        onCheckedChange={(on) => (on ? switchOn() : setAsking(true))}
      />
      <span className="w-6 text-sm">{enabled ? 'On' : 'Off'}</span>
      {asking && (
        <ActWithReason
          title={`Switch off ${name}`}
          failed={failed}
          done={`Switched off ${name}`}
          send={(reason) => set(false, reason)}
          undo={() => set(true)}
          about={id}
          onClose={() => setAsking(false)}
        >
          It neither counts nor refuses requests until it is on again.
        </ActWithReason>
      )}
    </span>
  )
}

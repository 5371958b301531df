'use client'
import { useState } from 'react'
import { PastRunsTrial, trialPeriods } from '@/components/trace/past-runs-trial'
import { Select } from '@/components/ui/select'
import type { ActionError } from '@/lib/next/action'
import { type RuleDraft, toRuleInput } from './rule-draft'

/**
 * Shows which past runs a rule would have changed, before it is saved. `id`: the stored rule; null = a new one. `onRefused` gets
 * the rule's field errors.
 */
export function RuleTrial({
  id,
  draft,
  onRefused,
}: {
  id: string | null
  draft: RuleDraft
  onRefused: (error: ActionError) => void
}) {
  const [days, setDays] = useState('30')
  // Name, switch and confirmation do not change which runs it changes.
  const name = draft.name.trim() || 'A new rule'
  const rule = { ...toRuleInput(draft), name, enabled: true, notYet: false }
  return (
    <section aria-labelledby="rule-trial" className="flex min-w-0 flex-col gap-3">
      <div>
        <h2 id="rule-trial" className="text-lg">
          Test on past runs
        </h2>
        <p className="max-w-[72ch] text-muted">
          Up to 1,000 runs are replayed. Nothing is called. All admins can read the result for 24
          hours.
        </p>
      </div>
      <PastRunsTrial
        tried={{ of: 'rule', rule, id, days: Number(days) }}
        question={JSON.stringify({ ...rule, name: '', days })}
        onRefused={onRefused}
      >
        <Select
          aria-label="Period"
          className="w-44"
          options={trialPeriods}
          value={days}
          onValueChange={setDays}
        />
      </PastRunsTrial>
    </section>
  )
}

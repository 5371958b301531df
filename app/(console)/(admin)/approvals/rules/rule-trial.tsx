'use client'
import type { PolicyTrial } from '@toolgate/server/runs/replay/try-policy'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { ChangedRuns, TrialSentences } from '@/components/trace/trial-result'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Select } from '@/components/ui/select'
import type { TriedRule } from '@/lib/domains/approvals/shape'
import type { ActionError } from '@/lib/next/action'
import { tryRule } from './actions'
import { type RuleDraft, toRuleInput } from './rule-draft'

const periods = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]

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
  const { busy, tried, problem, run } = useTrial(onRefused)
  // Name, switch and confirmation do not change which runs it changes.
  const name = draft.name.trim() || 'A new rule'
  const rule = { ...toRuleInput(draft), name, enabled: true, notYet: false }
  const request = JSON.stringify({ ...rule, name: '', days })
  const isStale = tried !== null && tried.requested !== request
  return (
    <section aria-labelledby="rule-trial" className="flex min-w-0 flex-col gap-3">
      <div>
        <h2 id="rule-trial" className="text-lg">
          Test on past runs
        </h2>
        <p className="max-w-[72ch] text-muted">
          Up to 1,000 runs are replayed. Nothing is saved or called.
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Period"
          className="w-44"
          options={periods}
          value={days}
          onValueChange={setDays}
        />
        <Button loading={busy} onClick={() => run({ rule, id }, Number(days), request)}>
          {!busy && <FlaskConical className="size-4" aria-hidden />}
          Test
        </Button>
      </div>
      {problem && <ErrorNotice title="The rule was not tested">{problem}</ErrorNotice>}
      <div role="status" className="flex flex-col gap-1">
        {isStale && <p className="text-sm text-warning">The rule changed since.</p>}
        {tried && <TrialSentences trial={tried.trial} days={tried.days} />}
      </div>
      {tried && (
        <div className={cn('transition-opacity', isStale && 'opacity-60')}>
          <ChangedRuns trial={tried.trial} />
        </div>
      )}
    </section>
  )
}

/** `requested` identifies the question, so that the page can tell whether the answer is for the current one. */
type Tried = { requested: string; days: number; trial: PolicyTrial }

/** Asks which past runs a rule would have changed. Invalid fields go to `onRefused`; `problem` is any other error. */
function useTrial(onRefused: (error: ActionError) => void) {
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (
    input: { rule: TriedRule; id: string | null },
    days: number,
    requested: string,
  ) => {
    setBusy(true)
    setProblem(null)
    const result = await sendAction(() => tryRule({ ...input, days }))
    setBusy(false)
    if (result.ok) return setTried({ requested, days, trial: result.value })
    if (result.error.fields) return onRefused(result.error)
    setProblem(result.error.message)
  }
  return { busy, tried, problem, run }
}

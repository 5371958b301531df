'use client'
import type { Simulation } from '@toolgate/server/runs/approvals/simulate-approval-rule'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Select } from '@/components/ui/select'
import { type TriedRule, triedWords } from '@/lib/domains/approvals/shape'
import type { ActionError } from '@/lib/next/action'
import { countOf, formatCount } from '@/lib/words/format'
import { tryRule } from './actions'
import { PastCalls } from './past-calls'
import { type RuleDraft, toRuleInput } from './rule-draft'

const periods = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]

/** Shows which past calls a rule would have matched, before it is saved. `onRefused` gets the rule's field errors. */
export function Simulator({
  draft,
  onRefused,
}: {
  draft: RuleDraft
  onRefused: (error: ActionError) => void
}) {
  const [days, setDays] = useState('30')
  const { busy, tried, problem, run } = useSimulation(onRefused)
  // Name, switch and confirmation do not change which calls match.
  const name = draft.name.trim() || 'A new rule'
  const rule = { ...toRuleInput(draft), name, enabled: true, notYet: false }
  const request = JSON.stringify({ ...rule, name: '', days })
  return (
    <section aria-labelledby="simulator" className="flex min-w-0 flex-col gap-3">
      <div>
        <h2 id="simulator" className="text-lg">
          Test on past calls
        </h2>
        <p className="max-w-[72ch] text-muted">Nothing is saved or run.</p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Period"
          className="w-44"
          options={periods}
          value={days}
          onValueChange={setDays}
        />
        <Button loading={busy} onClick={() => run(rule, Number(days), request)}>
          {!busy && <FlaskConical className="size-4" aria-hidden />}
          Test
        </Button>
      </div>
      {problem && <ErrorNotice title="The rule was not tested">{problem}</ErrorNotice>}
      <div role="status" className="flex flex-col gap-1">
        {tried && tried.requested !== request && (
          <p className="text-sm text-warning">The rule changed since.</p>
        )}
        {tried && <Answer tried={tried} />}
      </div>
      {tried && tried.simulation.calls.length > 0 && (
        <div className={cn('transition-opacity', tried.requested !== request && 'opacity-60')}>
          <PastCalls simulation={tried.simulation} />
        </div>
      )}
    </section>
  )
}

function Answer({ tried: { simulation, days, done } }: { tried: Tried }) {
  const { looked, stopped, limited } = simulation
  const period = days === 1 ? 'the last day' : `the last ${days} days`
  if (looked === 0) return <p>No calls in {period}.</p>
  return (
    <p className="numeric text-strong">
      It would have {done}{' '}
      <span className="font-medium">
        {formatCount(stopped)} of the {countOf(looked, 'call')}
      </span>{' '}
      of {period}
      {limited && ' (newest calls only)'}.
    </p>
  )
}

/** `requested` identifies the question, so that the page can tell whether the answer is for the current one; `done` = what the rule would have done to the calls. */
type Tried = { requested: string; days: number; done: string; simulation: Simulation }

/** Asks which past calls a rule would have matched. Invalid fields go to `onRefused`; `problem` is any other error. */
function useSimulation(onRefused: (error: ActionError) => void) {
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (rule: TriedRule, days: number, text: string) => {
    setBusy(true)
    setProblem(null)
    const done = triedWords[rule.action ?? 'ask']
    const result = await sendAction(() => tryRule({ rule, days }))
    setBusy(false)
    if (result.ok) return setTried({ requested: text, days, done, simulation: result.value })
    if (result.error.fields) return onRefused(result.error)
    setProblem(result.error.message)
  }
  return { busy, tried, problem, run }
}

'use client'
import type { PolicyTrial } from '@toolgate/server/runs/replay/try-policy'
import { FlaskConical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { ActionError, ActionResult } from '@/lib/next/action'
import { ChangedRuns, TrialSentences } from './trial-result'

type Props = {
  /** Identifies what is tried now: an answer for something else is marked as out of date. */
  question: string
  days: number
  send: () => Promise<ActionResult<PolicyTrial>>
  /** Gets errors of fields; left out: they are shown like other errors. */
  onRefused?: (error: ActionError) => void
  children?: ReactNode
}

/** `question` is the one that was answered. */
type Tried = { question: string; days: number; trial: PolicyTrial }

/** Shows a button that replays past runs with a change that is not stored, and what it found. */
export function PastRunsTrial({ question, days, send, onRefused, children }: Props) {
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async () => {
    setBusy(true)
    setProblem(null)
    const result = await sendAction(send)
    setBusy(false)
    if (result.ok) return setTried({ question, days, trial: result.value })
    const { fields, message } = result.error
    if (fields && onRefused) return onRefused(result.error)
    setProblem(fields ? Object.values(fields).join(' ') : message)
  }
  const isStale = tried !== null && tried.question !== question
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button loading={busy} onClick={run}>
          {!busy && <FlaskConical className="size-4" aria-hidden />}
          {children ? 'Test' : 'Test on past runs'}
        </Button>
      </div>
      {problem && <ErrorNotice title="The change was not tested">{problem}</ErrorNotice>}
      <div role="status" className="flex flex-col gap-1">
        {isStale && <p className="text-sm text-warning">It changed since.</p>}
        {tried && <TrialSentences trial={tried.trial} days={tried.days} />}
      </div>
      {tried && (
        <div className={cn('transition-opacity', isStale && 'opacity-60')}>
          <ChangedRuns trial={tried.trial} />
        </div>
      )}
    </div>
  )
}

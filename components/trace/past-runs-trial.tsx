'use client'
import type { PolicyTrial } from '@toolgate/server/runs/replay/trial-shape'
import { FlaskConical } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ErrorNotice } from '@/components/ui/error-notice'
import { lazyPart } from '@/components/ui/lazy-part'
import type { ActionError } from '@/lib/next/action'
import { countOf, formatCount } from '@/lib/words/format'
import { type Progress, sendTrial, type Tried } from './send-trial'

// Most visits of a form test nothing.
const load = () => import('./trial-result')
const TrialSentences = lazyPart(async () => (await load()).TrialSentences)
const ChangedRuns = lazyPart(async () => (await load()).ChangedRuns)

/** Periods of past runs, in days. */
export const trialPeriods = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]

type Props = {
  /** The change that is tried. An answer for another one is marked as out of date. */
  tried: Tried
  /** Identifies `tried` without what decides nothing; left out: all of it counts. */
  question?: string
  /** Gets errors of fields; left out: they are shown like other errors. */
  onRefused?: (error: ActionError) => void
  /** Gets to know that a result is there, which is kept for a day. */
  onDone?: () => void
  children?: ReactNode
}

/** `question` is the one that was answered. */
type Answer = { question: string; days: number; trial: PolicyTrial }

/** The button of a trial, and what became of the last one. */
type Trial =
  | { type: 'none' }
  | { type: 'running'; progress: Progress | null }
  | { type: 'stopped'; progress: Progress | null }
  | { type: 'failed'; problem: string }
  | { type: 'answered'; answer: Answer }

/** Shows a button that replays past runs with a change that is not stored, how far it is, and what it found. */
export function PastRunsTrial(props: Props) {
  const { question = JSON.stringify(props.tried), children } = props
  const { trial, start, stop } = useTrial(props, question)
  const isRunning = trial.type === 'running'
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button loading={isRunning} onClick={() => void start()} {...ChangedRuns.soon}>
          {!isRunning && <FlaskConical className="size-4" aria-hidden />}
          {children ? 'Test' : 'Test on past runs'}
        </Button>
        {isRunning && <Button onClick={stop}>Stop</Button>}
        {isRunning && <TrialProgress progress={trial.progress} />}
      </div>
      {trial.type === 'failed' && (
        <ErrorNotice title="The change was not tested">{trial.problem}</ErrorNotice>
      )}
      <div role="status" className="flex flex-col gap-1">
        {isRunning && <span className="sr-only">Replaying past runs.</span>}
        {trial.type === 'stopped' && <p className="numeric">{stoppedWords(trial.progress)}</p>}
        {trial.type === 'answered' && <Sentences answer={trial.answer} question={question} />}
      </div>
      {trial.type === 'answered' && (
        <div
          className={cn('transition-opacity', trial.answer.question !== question && 'opacity-60')}
        >
          <ChangedRuns trial={trial.answer.trial} />
        </div>
      )}
    </div>
  )
}

/** Holds a trial. It stops when the page is left. */
function useTrial({ tried, onRefused, onDone }: Props, question: string) {
  const [trial, setTrial] = useState<Trial>({ type: 'none' })
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const start = async () => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    let progress: Progress | null = null
    const onProgress = (now: Progress) => {
      progress = now
      setTrial({ type: 'running', progress })
    }
    setTrial({ type: 'running', progress })
    const result = await sendAction(() => sendTrial(tried, { onProgress, signal }))
    if (signal.aborted) return setTrial({ type: 'stopped', progress })
    if (result.ok) {
      const { days = 30 } = tried
      setTrial({ type: 'answered', answer: { question, days, trial: result.value } })
      return onDone?.()
    }
    const { fields, message } = result.error
    if (fields && onRefused) {
      setTrial({ type: 'none' })
      return onRefused(result.error)
    }
    const problem = fields ? Object.values(fields).join(' ') : message
    setTrial({ type: 'failed', problem })
  }
  return { trial, start, stop: () => stopping.current?.abort() }
}

/** Shows how far a trial is. It is no live region: one sentence says that it runs, not each step. */
function TrialProgress({ progress }: { progress: Progress | null }) {
  if (progress === null) return <span className="text-muted">Finding runs…</span>
  const { done, of } = progress
  return (
    <>
      <progress
        aria-label="Runs replayed"
        max={of}
        value={done}
        className="h-1.5 w-32 accent-accent"
      />
      <span className="numeric text-muted">{progressWords(progress)}</span>
    </>
  )
}

const progressWords = ({ done, of }: Progress) => `${formatCount(done)} of ${countOf(of, 'run')}`

function stoppedWords(progress: Progress | null): string {
  return progress ? `Stopped after ${progressWords(progress)}.` : 'Stopped.'
}

function Sentences({ answer, question }: { answer: Answer; question: string }) {
  return (
    <>
      {answer.question !== question && (
        <p className="text-sm text-warning">
          The change was edited after this test. Test it again.
        </p>
      )}
      <TrialSentences trial={answer.trial} days={answer.days} />
    </>
  )
}

'use client'
import type { Consent } from '@toolgate/server/toolset/schedules/consent-verbs'
import { CalendarClock, Check, X } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useRef } from 'react'
import { useAct } from '@/components/forms/use-act'
import { usePendingCheck } from '@/components/shell/pending-approvals'
import { LongText } from '@/components/trace/long-text'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { StatePill } from '@/components/ui/state-pill'
import { timesWords } from '@/lib/domains/schedules/shared/cron'
import type { ActionResult } from '@/lib/next/action'
import { visibleText } from '@/lib/words/clean-text'
import { answerSchedule, withdrawFromSchedule } from '../actions'

/** Shows the schedules of others that ask to run as the reader, each with what it starts and the buttons that answer it. */
export function ScheduleRequests({ consents }: { consents: readonly Consent[] }) {
  const list = useRef<HTMLUListElement>(null)
  if (consents.length === 0) return null
  return (
    <Section id="schedules" title="Schedules asking to run as you">
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Schedules"
        className="flex flex-col gap-3 outline-none"
      >
        {consents.map((consent) => (
          <li key={consent.scheduleId}>
            <Request consent={consent} onGone={() => list.current?.focus()} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Request({ consent, onGone }: { consent: Consent; onGone: () => void }) {
  const headingId = `schedule-${consent.scheduleId}`
  return (
    <article aria-labelledby={headingId} className="rounded-md border bg-surface-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b px-3 py-2">
        <CalendarClock className="size-4 shrink-0 text-muted" aria-hidden />
        <h3 id={headingId} className="font-medium [overflow-wrap:anywhere]">
          <VisibleText text={consent.name} />
        </h3>
        <StatePill state="waiting" className="ml-auto">
          Waiting for consent
        </StatePill>
      </div>
      <div className="flex flex-col gap-4 p-3">
        <Content consent={consent} />
        <Answer consent={consent} onGone={onGone} />
      </div>
    </article>
  )
}

/** Shows the schedules that run as the reader because they agreed, and those that they denied. */
export function AnsweredSchedules({ consents }: { consents: readonly Consent[] }) {
  if (consents.length === 0) return null
  return (
    <Section title="Schedules that run as you">
      <ul className="divide-y rounded-md border bg-surface-1">
        {consents.map((consent) => (
          <li key={consent.scheduleId}>
            <details className="group">
              <summary className="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 hover:bg-surface-2">
                <span className="min-w-0 text-strong [overflow-wrap:anywhere]">
                  <VisibleText text={consent.name} />
                </span>
                <span className="text-muted text-sm">{timesWords(consent)}</span>
                <span className="ml-auto flex items-center gap-2 text-muted text-sm">
                  {consent.answeredAt && <RelativeTime at={consent.answeredAt} />}
                  {consent.state === 'given' ? (
                    <StatePill state="ok">Approved</StatePill>
                  ) : (
                    <StatePill state="denied">Denied</StatePill>
                  )}
                </span>
              </summary>
              <div className="flex flex-col gap-4 border-t p-3">
                <Content consent={consent} />
                {consent.state === 'given' ? (
                  <Withdraw consent={consent} />
                ) : (
                  <Answer consent={consent} />
                )}
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Shows what a schedule starts, when, with which tools, and who wrote it. */
function Content({ consent }: { consent: Consent }) {
  const { askedBy, task, prompt, configurations, tools } = consent
  const values = Object.entries(consent.variables).filter(([, value]) => value !== '')
  return (
    <>
      <p className="max-w-[72ch] text-muted">
        It runs with your rights and in your budgets until you withdraw.
      </p>
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        <Fact label="Asked by">
          {askedBy.length === 0 ? (
            <span className="text-muted">unknown</span>
          ) : (
            <VisibleText text={askedBy.join(', ')} />
          )}
        </Fact>
        <Fact label="Times">{timesWords(consent)}</Fact>
        {task && (
          <Fact label="Task">
            <VisibleText text={`${task.name}, version ${task.version}`} />
          </Fact>
        )}
        <Fact label={configurations.length > 1 ? 'Configurations' : 'Configuration'}>
          <VisibleText text={configurations.join(', ') || 'deleted'} />
        </Fact>
        {values.map(([name, value]) => (
          <Fact key={name} label={visibleText(name)}>
            <LongText text={String(value)} label={visibleText(name)} mono={false} />
          </Fact>
        ))}
      </dl>
      <dl className="flex max-w-[80ch] flex-col gap-3">
        <Fact label="Prompt">
          <LongText text={prompt} label="Prompt" mono={false} />
        </Fact>
        <Fact label={`Tools (${tools.length})`}>
          {tools.length === 0 ? (
            <span className="text-muted">none</span>
          ) : (
            <span className="font-mono text-mono">{tools.join(', ')}</span>
          )}
        </Fact>
      </dl>
    </>
  )
}

/** Returns what sends an answer about a schedule: the page and the badge show what came of it, also when it came too late. */
function useAnswer(onGone?: () => void) {
  const router = useRouter()
  const check = usePendingCheck()
  const { busy, act } = useAct()
  const send = (
    request: () => Promise<ActionResult<void>>,
    words: Parameters<typeof act<void>>[1],
  ) =>
    act(async () => {
      const result = await request()
      check()
      if (result.ok) onGone?.()
      else router.refresh()
      return result
    }, words)
  return { busy, send }
}

function Answer({ consent, onGone }: { consent: Consent; onGone?: () => void }) {
  const { scheduleId, hash } = consent
  const { busy, send } = useAnswer(onGone)
  const name = visibleText(consent.name)
  const answer = (decision: 'approve' | 'deny') =>
    send(() => answerSchedule({ scheduleId, hash, decision }), {
      failed: `${name} was not answered`,
      done: decision === 'approve' ? `Approved ${name}` : `Denied ${name}`,
      ...(decision === 'approve' && { undo: () => withdrawFromSchedule({ scheduleId }) }),
    })
  return (
    <Buttons>
      <Button
        variant="primary"
        aria-label={`Approve ${name}`}
        loading={busy}
        onClick={() => void answer('approve')}
      >
        {!busy && <Check className="size-4" aria-hidden />}
        Approve
      </Button>
      {consent.state === 'waiting' && (
        <Button aria-label={`Deny ${name}`} disabled={busy} onClick={() => void answer('deny')}>
          <X className="size-4" aria-hidden />
          Deny
        </Button>
      )}
    </Buttons>
  )
}

function Withdraw({ consent }: { consent: Consent }) {
  const { busy, send } = useAnswer()
  const name = visibleText(consent.name)
  const withdraw = () =>
    send(() => withdrawFromSchedule({ scheduleId: consent.scheduleId }), {
      failed: 'Nothing was withdrawn',
      done: `Withdrew consent for ${name}`,
    })
  return (
    <Buttons>
      <Button
        aria-label={`Withdraw approval of ${name}`}
        loading={busy}
        onClick={() => void withdraw()}
      >
        {!busy && <X className="size-4" aria-hidden />}
        Withdraw
      </Button>
    </Buttons>
  )
}

function Buttons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap gap-2">{children}</div>
}

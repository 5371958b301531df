'use client'
import type { ApprovalRow } from '@toolgate/server/runs/approvals/list-approvals'
import { Wrench } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react'
import { useLastAnswer, usePendingCheck } from '@/components/shell/pending-approvals'
import type { ApprovalAnswer, ApprovalReply } from '@/components/trace/approval-actions'
import { ApprovalForm } from '@/components/trace/approval-form'
import { coversWords, fourEyesWords } from '@/components/trace/approval-words'
import { CallArguments } from '@/components/trace/call-arguments'
import { NobodyNotified } from '@/components/trace/nobody-notified'
import { RunBefore } from '@/components/trace/run-before'
import { TimeLeft } from '@/components/trace/time-left'
import { VisibleText } from '@/components/trace/visible-text'
import { previewTitle, WritePreview } from '@/components/trace/write-check'
import { RelativeTime } from '@/components/ui/relative-time'
import { useToast } from '@/components/ui/toast'
import { visibleText } from '@/lib/words/clean-text'
import { sendAnswer } from '../send-answer'

/** Lists the waiting calls, longest wait first. A decided call leaves the list at once; its run shows the result. */
export function PendingList({ rows }: { rows: ApprovalRow[] }) {
  const list = useRef<HTMLUListElement>(null)
  const [answered, setAnswered] = useState<readonly string[]>([])
  const decide = useDecide((approvalId) => setAnswered((before) => [...before, approvalId]))
  useFreshRows()
  const shown = rows.filter(({ approvalId }) => !answered.includes(approvalId))
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label="Waiting calls"
      className="flex flex-col gap-3 outline-none"
    >
      {shown.map((row, place) => (
        <li key={row.approvalId}>
          <PendingCall
            row={row}
            decide={(answer) => decide(row, answer)}
            onGone={() => focusCall(list.current, place)}
          />
        </li>
      ))}
      {shown.length === 0 && <li className="py-8 text-center text-muted">Checking for more…</li>}
    </ul>
  )
}

/**
 * Moves the focus to the call that took the place of a decided one, or to the last one. A key that is pressed twice decides
 * nothing there: the focus is on the call, not on its buttons.
 */
export function focusCall(list: HTMLElement | null, place: number): void {
  const calls = list?.querySelectorAll('article') ?? []
  const next = calls[Math.min(place, calls.length - 1)] ?? list
  next?.focus()
}

/** Sends an answer, shows a message about the result, and reads the list again. */
function useDecide(leave: (approvalId: string) => void) {
  const toast = useToast()
  const router = useRouter()
  const check = usePendingCheck()
  return async (row: ApprovalRow, answer: ApprovalAnswer): Promise<ApprovalReply> => {
    const { approvalId, argumentsHash, runId } = row
    const reply = await sendAnswer({ approvalId, argumentsHash }, answer)
    if (reply.type === 'refused') return reply
    const name = visibleText(row.toolName)
    const action = { label: 'Open run', onClick: () => router.push(`/runs/${runId}`) }
    if (reply.type === 'decided') {
      toast({ tone: 'ok', title: `${verbs[answer.type]} ${name}`, action })
    } else {
      toast({
        tone: 'error',
        title: `Your decision about ${name} came too late`,
        description: reply.message,
        action,
      })
    }
    leave(approvalId)
    check()
    router.refresh()
    return reply
  }
}

const verbs = { approve: 'Approved', edit: 'Edited and approved', deny: 'Denied' } as const

/**
 * Refreshes the list after each answer of the badge's query, because then the server is reachable. A refresh that fails
 * would leave the page and lose what is typed on it. External system: the server.
 */
function useFreshRows(): void {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const answeredAt = useLastAnswer(10_000)
  const shownAt = useRef(answeredAt)
  useEffect(() => {
    // A refresh during a navigation would start that navigation again.
    if (pending || shownAt.current === answeredAt) return
    shownAt.current = answeredAt
    startTransition(() => router.refresh())
  }, [answeredAt, pending, router])
}

type Props = {
  row: ApprovalRow
  decide: (answer: ApprovalAnswer) => Promise<ApprovalReply>
  onGone: () => void
}

/** Shows one waiting call: what would run, for whom, why it waits, and the form that decides it. */
function PendingCall({ row, decide, onGone }: Props) {
  const headingId = `call-${row.approvalId}`
  return (
    <article
      aria-labelledby={headingId}
      tabIndex={-1}
      className="scroll-mt-20 rounded-md border bg-surface-1"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b px-3 py-2">
        <Wrench className="size-4 shrink-0 text-muted" aria-hidden />
        <h2 id={headingId} className="font-medium font-mono text-mono [overflow-wrap:anywhere]">
          <VisibleText text={row.toolName} />
        </h2>
        <span className="ml-auto text-sm text-waiting">
          <TimeLeft until={Date.parse(row.expiresAt)} />
        </span>
      </div>
      <div className="grid gap-x-8 gap-y-4 p-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {row.nobodyTold && <NobodyNotified />}
          <section className="flex flex-col gap-1">
            <h3 className="font-medium text-muted text-sm">Arguments</h3>
            <CallArguments
              argumentsText={row.argumentsText}
              parameters={row.context?.parameters ?? null}
            />
          </section>
          {row.preview && (
            <section className="flex flex-col gap-1">
              <h3 className="font-medium text-muted text-sm">{previewTitle(row.preview)}</h3>
              <WritePreview preview={row.preview} />
            </section>
          )}
          <ApprovalForm
            toolName={row.toolName}
            argumentsText={row.argumentsText}
            parameters={row.context?.parameters ?? null}
            right={row.mayDecide}
            decide={decide}
            onGone={onGone}
          />
        </div>
        <div className="flex h-fit flex-col gap-4 lg:border-l lg:pl-4">
          <Facts row={row} />
          {row.context && <RunBefore runId={row.runId} context={row.context} />}
        </div>
      </div>
    </article>
  )
}

function Facts({ row }: { row: ApprovalRow }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      <Fact label="Run">
        <Link
          href={`/runs/${row.runId}`}
          className="line-clamp-2 text-link underline-offset-2 hover:underline"
        >
          <VisibleText text={row.runPrompt} />
        </Link>
      </Fact>
      <Fact label="Run by">
        <VisibleText text={row.userEmail} />
      </Fact>
      <Fact label="Configuration">
        <VisibleText text={row.configurationName} />
      </Fact>
      <Fact label="Rule">
        <VisibleText text={row.ruleName} />
      </Fact>
      {row.once && <Fact label="Covers">{coversWords}</Fact>}
      {row.fourEyesRule !== null && (
        <Fact label="Four eyes">
          <VisibleText text={fourEyesWords(row.fourEyesRule)} />
        </Fact>
      )}
      <Fact label="Requested">
        <RelativeTime at={row.requestedAt} />
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="text-strong [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

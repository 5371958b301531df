import { Wrench } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { ApprovalAnswer, ApprovalReply } from '@/components/trace/approval-actions'
import { ApprovalForm } from '@/components/trace/approval-form'
import { CallArguments } from '@/components/trace/call-arguments'
import { TimeLeft } from '@/components/trace/time-left'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ApprovalRow } from '@/lib/runs/list-approvals'

type Props = {
  row: ApprovalRow
  decide: (answer: ApprovalAnswer) => Promise<ApprovalReply>
  onGone: () => void
}

/** Shows one waiting call: what would run, for whom, why it waits, and the form that decides it. */
export function PendingCall({ row, decide, onGone }: Props) {
  const headingId = `call-${row.approvalId}`
  return (
    <article aria-labelledby={headingId} className="rounded-md border bg-surface-1">
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
          <section className="flex flex-col gap-1">
            <h3 className="font-medium text-muted text-sm">Arguments</h3>
            <CallArguments argumentsText={row.argumentsText} />
          </section>
          <ApprovalForm
            toolName={row.toolName}
            argumentsText={row.argumentsText}
            right={row.mayDecide}
            decide={decide}
            onGone={onGone}
          />
        </div>
        <Facts row={row} />
      </div>
    </article>
  )
}

function Facts({ row }: { row: ApprovalRow }) {
  return (
    <dl className="grid h-fit grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm lg:border-l lg:pl-4">
      <Fact label="Run">
        <Link
          href={`/runs/${row.runId}`}
          className="line-clamp-2 text-link underline-offset-2 hover:underline"
        >
          <VisibleText text={row.runPrompt} />
        </Link>
      </Fact>
      <Fact label="Run by">{row.userEmail}</Fact>
      <Fact label="Configuration">
        <VisibleText text={row.configurationName} />
      </Fact>
      <Fact label="Rule">
        <VisibleText text={row.ruleName} />
      </Fact>
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

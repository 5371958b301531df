import type { RunRecord } from '@toolgate/server/runs/read-run'
import Link from 'next/link'
import { endWords } from '@/components/trace/end-words'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { firstWords } from '@/lib/words/clean-text'

type Run = Pick<RunRecord, 'runId' | 'prompt' | 'createdAt' | 'endReason' | 'notStarted'>

/** Shows which two runs stand beside each other. */
export function ComparedRuns({ before, after }: { before: Run; after: Run }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <ComparedRun label="Before" run={before} />
      <ComparedRun label="After" run={after} />
    </div>
  )
}

function ComparedRun({ label, run }: { label: string; run: Run }) {
  const { pill, word } = run.endReason
    ? endWords(run.endReason, run.notStarted)
    : ({ pill: 'running', word: 'Not ended yet' } as const)
  return (
    <section
      aria-label={label}
      className="flex min-w-0 flex-col gap-1 rounded-md border bg-surface-1 p-3"
    >
      <h2 className="text-muted text-sm">{label}</h2>
      <Link
        href={`/runs/${run.runId}`}
        className="line-clamp-2 text-link [overflow-wrap:anywhere] hover:underline"
      >
        <VisibleText text={firstWords(run.prompt)} />
      </Link>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <StatePill state={pill}>{word}</StatePill>
        <RelativeTime at={run.createdAt} />
      </p>
    </section>
  )
}

'use client'
import { Elapsed } from '@/components/trace/elapsed'
import { endWords } from '@/components/trace/end-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Cost } from '@/components/ui/cost'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { type PillState, StatePill } from '@/components/ui/state-pill'
import { formatDuration } from '@/lib/protocol/format'
import type { RunLine } from '@/lib/runs/run-lines'

/** Shows runs, one a line: the state, the first words of the prompt, and the figure that they are ordered by. */
export function RunLines({
  label,
  runs,
  figure,
}: {
  label: string
  runs: readonly RunLine[]
  figure: 'cost' | 'duration' | 'started'
}) {
  return (
    <ul aria-label={label} className="-mx-3 -mb-3 divide-y border-t text-sm">
      {runs.map((run) => (
        <li key={run.runId} className="flex min-h-10 items-center gap-3 px-3 py-1.5">
          <State run={run} />
          <HoverPrefetchLink
            href={`/runs/${run.runId}`}
            className="min-w-0 flex-1 truncate text-link hover:underline"
          >
            <VisibleText text={run.prompt} />
          </HoverPrefetchLink>
          <span className="numeric shrink-0 text-muted">
            <Figure run={run} of={figure} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Figure({ run, of }: { run: RunLine; of: 'cost' | 'duration' | 'started' }) {
  if (of === 'cost') return <Cost microUsd={run.costMicroUsd} bound={run.costBound} />
  if (of === 'started') return <RelativeTime at={run.createdAt} />
  if (run.durationMs === null) return <Elapsed since={Date.parse(run.createdAt)} />
  return formatDuration(run.durationMs)
}

const active: Record<RunLine['status'], { pill: PillState; word: string }> = {
  queued: { pill: 'waiting', word: 'Waiting for a place' },
  running: { pill: 'running', word: 'Running' },
  waiting: { pill: 'waiting', word: 'Waiting for approval' },
  ended: { pill: 'off', word: 'Ended' },
}

function State({ run: { status, endReason, notStarted } }: { run: RunLine }) {
  const { pill, word } = endReason ? endWords(endReason, notStarted) : active[status]
  return <StatePill state={pill}>{word}</StatePill>
}

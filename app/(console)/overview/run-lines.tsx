'use client'
import type { RunLine } from '@toolgate/server/runs/lists/run-lines'
import { PanelPill } from '@/components/nouns/panel-pill'
import { Elapsed } from '@/components/trace/elapsed'
import { RunPill } from '@/components/trace/run-pill'
import { VisibleText } from '@/components/trace/visible-text'
import { Cost } from '@/components/ui/cost'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { countOf, formatDuration } from '@/lib/words/format'

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
        <li
          key={run.runId}
          className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-1.5"
        >
          {run.panel ? <PanelPill row={run.panel} /> : <RunPill run={run} />}
          <HoverPrefetchLink
            href={run.panel ? `/runs/panels/${run.panel.panelId}` : `/runs/${run.runId}`}
            className="order-last w-full min-w-0 truncate text-link hover:underline sm:order-none sm:w-auto sm:flex-1"
          >
            <VisibleText text={run.prompt} />
          </HoverPrefetchLink>
          {run.panel && (
            <span className="shrink-0 text-muted">
              {countOf(run.panel.members.length, 'member')}
            </span>
          )}
          <span className="numeric ml-auto shrink-0 text-muted">
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
